//! `wasm-bindgen`: writes the JavaScript and TypeScript bindings of a compiled module. It takes the options that the scripts use.

use std::env;

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

fn main() -> anyhow::Result<()> {
    let mut bindgen = Bindgen::new();
    // As its own command line has it.
    bindgen.typescript(true).omit_default_module_path(false);
    let mut folder = None;
    for argument in env::args().skip(1) {
        if argument == "--version" {
            println!("wasm-bindgen {}", env!("CARGO_PKG_VERSION"));
            return Ok(());
        } else if !argument.starts_with("--") {
            bindgen.input_path(argument);
            continue;
        }
        match argument.split_once('=') {
            Some(("--target", "bundler")) => bindgen.bundler(true)?,
            Some(("--target", "nodejs")) => bindgen.nodejs(true)?,
            Some(("--target", "web")) => bindgen.web(true)?,
            Some(("--encode-into", "always")) => bindgen.encode_into(EncodeInto::Always),
            Some(("--out-name", name)) => bindgen.out_name(name),
            Some(("--out-dir", path)) => {
                folder = Some(path.to_owned());
                continue;
            }
            _ => bail!("not known here: {argument}"),
        };
    }
    bindgen.generate(folder.context("--out-dir is missing")?)
}
