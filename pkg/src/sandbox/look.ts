// A look at a token of a sandbox, here or served elsewhere, and looks again and again.

import type { SandboxTokenAccount } from "../generated.js";
import { type Bell, type Looks, pause } from "../watching.js";
import type { Curve } from "launchpad-desk/market";
import { inJson } from "../json.js";

/** A look at a token of a sandbox. See {@link Sandbox.look}. */
export interface SandboxLook {
  /** The token's curve, a copy. */
  curve: Curve;
  /** The wallets that were asked for and are known; `holding` is `null` without an account of the token. A wallet's next buy may also open
   * its volume account, at its own cost. */
  wallets: { wallet: string; lamports: bigint; holding: SandboxTokenAccount | null; opensVolumeAccount: boolean }[];
  /** The market's time, in milliseconds. */
  atMs: number;
}

/** A look, each time that the bell rings and something has moved. Errors of whoever rings are passed on. */
export async function* looksOf(
  look: () => SandboxLook | Promise<SandboxLook>,
  { bell, failed, everyMs, signal }: { bell: Bell; failed: Error[]; everyMs: number; signal: AbortSignal | undefined },
): Looks<SandboxLook> {
  let last = "";
  for (;;) {
    await bell.rung(signal);
    for (const error of failed.splice(0)) yield error;
    if (signal?.aborted) return;
    let looked: SandboxLook | Error;
    try {
      looked = await look();
    } catch (error) {
      looked = error as Error;
    }
    if (signal?.aborted) return;
    const seen =
      looked instanceof Error
        ? ""
        : JSON.stringify([looked.curve.reserves, looked.curve.complete, looked.wallets], inJson);
    if (seen === "" || seen !== last) yield looked;
    last = seen;
    if (everyMs > 0) await pause(everyMs, signal);
  }
}
