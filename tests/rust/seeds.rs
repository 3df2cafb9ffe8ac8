//! `npm test` draws random inputs only from recorded seeds, so a run that fails will fail again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ROOT;
use crate::layering::sources;

fn read(folders: &[&str], kinds: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in folders {
        kinds.iter().for_each(|kind| sources(&Path::new(ROOT).join(folder), kind, &mut found));
    }
    let texts = found.into_iter().filter(|file| !file.ends_with("seeds.rs"));
    texts.map(|file| (file.clone(), fs::read_to_string(file).expect("text"))).collect()
}

#[test]
fn every_property_draws_from_the_seed() {
    let sources = read(&["src", "tests"], &["rs"]);
    let properties = sources.iter().filter(|(_, text)| text.contains("proptest! {")).count();
    assert!(properties > 10, "{properties} files have properties");
    for (file, text) in &sources {
        let count = |what: &str| text.matches(what).count();
        let seeded = count("proptest! {\n    #![proptest_config(seeded::cases(");
        assert_eq!(count("proptest! {"), seeded, "{}", file.display());
        assert_eq!(count("ProptestConfig"), 0, "{}", file.display());
    }
}

#[test]
fn no_test_and_no_example_draws_from_elsewhere() {
    let sources = read(&["tests", "examples"], &["rs", "js", "mjs", "ts"]);
    for (file, text) in &sources {
        for source in
            ["Math.random", "getRandomValues", "randomUUID", "randomBytes", "randomInt", "thread_rng"]
        {
            // A call: a test may take one of them away from a page.
            assert!(!text.contains(&format!("{source}(")), "{} draws from {source}", file.display());
        }
    }
}
