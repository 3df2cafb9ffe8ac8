//! The native side of the launchpad benchmark: the same Rust, compiled for this machine, without any crossing into WebAssembly.

use std::io::{BufRead, stdin};
use std::time::Instant;

use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::launchpad::batch::buys_exact_in;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [work, rows] = arguments.as_slice() else {
        return Err("usage: bench-launchpad many-buys <rows>".into());
    };
    if work != "many-buys" {
        return Err(["no such work: ", work].concat().into());
    }
    many_buys(rows.parse()?)
}

/// Many buys on one curve, from one column into another.
fn many_buys(rows: u64) -> Result<(), Box<dyn std::error::Error>> {
    let launchpad = Launchpad::default();
    let token = launchpad.new_token();
    let spends: Vec<u64> = (0..rows).map(|row| 81_000_000 + row * 7_919 % 1_024 * 1_003_003).collect();
    let mut tokens = vec![0; spends.len()];
    let run = |tokens: &mut [u64]| {
        tokens.copy_from_slice(std::hint::black_box(&spends));
        buys_exact_in(&launchpad, &token, tokens);
    };
    run(&mut tokens);
    let sums = tokens.iter().zip(0u64..);
    println!(
        "\"{}\"",
        sums.fold(0u64, |sum, (row, at)| sum.wrapping_mul(31).wrapping_add(*row).wrapping_add(at))
    );
    for line in stdin().lock().lines() {
        let calls: u64 = line?.trim().parse()?;
        let began = Instant::now();
        for _ in 0..calls {
            run(std::hint::black_box(&mut tokens));
        }
        println!("{}", began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}
