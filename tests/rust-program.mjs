// The programs in Rust that tests start: examples of the crate `tests`.

import { join } from "node:path";
import { capture } from "../scripts/program.mjs";
import { cargoTargetFolder } from "../scripts/setup.mjs";

/** The path of the program of this name. The run's step "programs" has built it, or else it is built here. */
export async function rustProgram(name, ...features) {
  if (process.env.RUST_PROGRAMS !== "built")
    await capture("cargo", ["build", "--quiet", "--locked", ...features, `--example=${name}`]);
  return join(await cargoTargetFolder(), "debug/examples", name);
}
