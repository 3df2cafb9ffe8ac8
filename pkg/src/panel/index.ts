// `launchpad-desk/panel`: importing it defines <launchpad-desk>.

import type { SandboxConfig } from "../generated.js";
import { LaunchpadDesk as Element } from "./element.js";

/**
 * The trading panel, `<launchpad-desk>`. Importing `launchpad-desk/panel` defines it.
 *
 * @example
 * ```html
 * <script type="module">import "launchpad-desk/panel";</script>
 * <launchpad-desk></launchpad-desk>
 * ```
 */
export interface LaunchpadDesk extends HTMLElement {
  /** Under which the panel's simulated market is kept. Default: `desk`. */
  name: string;
  /** What its sandbox begins with; taken when the element is put into a page. Default: a market that moves by itself. */
  sandbox: SandboxConfig | undefined;
  /** Mint address of the token shown first. */
  mint: string | null;
  /** Id of the wallet picked first. */
  wallet: string | null;
}

/** The element's class. */
export const LaunchpadDesk: new () => LaunchpadDesk = Element;

if (!customElements.get("launchpad-desk")) customElements.define("launchpad-desk", Element);
