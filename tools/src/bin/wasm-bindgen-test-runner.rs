//! `wasm-bindgen-test-runner`: runs a wasm test binary in Node or in a headless browser.
//!
//! As it comes, it skips tests that name no host when a browser is asked for (`wasm-pack test --chrome`
//! does so). Ours run everywhere, so here they run where they are asked to.

use std::env;

const WEB_ONLY: &str = "WASM_BINDGEN_TEST_ONLY_WEB";
const HOSTS: [&str; 6] =
    ["BROWSER", "DEDICATED_WORKER", "SHARED_WORKER", "SERVICE_WORKER", "DENO", "NODE_EXPERIMENTAL"];

fn main() -> anyhow::Result<()> {
    let chosen = HOSTS.iter().any(|host| env::var_os(format!("WASM_BINDGEN_USE_{host}")).is_some());
    if env::var_os(WEB_ONLY).is_some() && !chosen {
        // SAFETY: there is no other thread yet.
        unsafe { env::set_var("WASM_BINDGEN_USE_BROWSER", "1") };
    }
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(env::args_os())
}
