//! The tests draw random inputs from a seed, so that every run is the same. `npm run prove` gives another seed, and draws more.

use std::env;

use proptest::test_runner::{Config, RngSeed};

const SEED: u64 = 20_261_120;

/// How many times as much is drawn where a seed is named, and no number of cases.
const FACTOR: u32 = 80;

/// Draws this many cases. What fails is written to no file: a counterexample becomes a case of its test.
pub fn cases(cases: u32) -> Config {
    let seed = told("PROVE_SEED");
    let more = if seed.is_some() { cases.saturating_mul(FACTOR) } else { cases };
    Config {
        cases: told("PROVE_CASES").unwrap_or(more),
        rng_seed: RngSeed::Fixed(seed.unwrap_or(SEED)),
        failure_persistence: None,
        max_global_rejects: u32::MAX,
        ..Config::default()
    }
}

fn told<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text}, and no such number")))
}
