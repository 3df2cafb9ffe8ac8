//! `wasm-bindgen`: writes the JavaScript and TypeScript bindings of a compiled module.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(std::env::args_os())
}
