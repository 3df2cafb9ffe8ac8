// `launchpad-desk/panel`: importing it defines <launchpad-desk>.

import type { SandboxConfig } from "../generated.js";
import { LaunchpadDesk as Element } from "./element.js";
import type { LiveToken, LiveWallet } from "./live.js";

export type { DeskEvents } from "./events.js";
export type { LiveToken, LiveWallet };

/**
 * The trading panel, `<launchpad-desk>`. Importing `launchpad-desk/panel` defines it.
 *
 * Without attributes it trades on a simulated launchpad inside the page, which is kept over a reload. With `base-url` it trades
 * through a gateway, with real money; it does not open before the gateway has answered its health check, and goes to no other.
 *
 * It tells the page what it does by three events, which bubble out of its shadow root: `desk-plan`, `desk-sent` and
 * `desk-outcome`; see {@link DeskEvents}. Its look is set by `--desk-…` custom properties and by `::part(ticket)`, `quote`,
 * `consent`, `send`, `bar` and `outcomes`.
 *
 * @example
 * ```html
 * <script type="module">import "launchpad-desk/panel";</script>
 * <launchpad-desk></launchpad-desk>
 * ```
 */
export interface LaunchpadDesk extends HTMLElement {
  /** Under which the simulated launchpad is kept: panels of one name share it. Attribute `name`. Default: `desk`. */
  name: string;
  /** Attribute `mode`. Default: `live` with a `base-url`, else `simulated`. */
  mode: "simulated" | "live" | null;
  /** Base URL of a gateway, without `/v1`, for live mode. Attribute `base-url`. */
  baseUrl: string | null;
  /** Mint address of the token to trade first. Attribute `mint`. */
  mint: string | null;
  /** Id of the wallet to trade from first. Attribute `wallet`. */
  wallet: string | null;
  /** What the amount field holds at first, as one types it: SOL to spend. Attribute `amount`. */
  amount: string | null;
  /** What the trader cannot change: `mint`, `amount`, or both with a space between. Attribute `fixed`. */
  fixed: string | null;
  /** The token that the gateway gave this caller, if it asks for one. A property, so that it does not stand in the page's source. */
  token: string | undefined;
  /** The tokens that live mode can trade, beside `mint`. */
  tokens: readonly LiveToken[];
  /** The wallets that live mode can trade from, beside `wallet`. */
  wallets: readonly LiveWallet[];
  /** What the simulated launchpad begins with; taken when the element is put into a page. Default: a market that moves by itself. */
  sandbox: SandboxConfig | undefined;
}

/** The element's class. */
export const LaunchpadDesk: new () => LaunchpadDesk = Element;

// On a server there is nowhere to define it.
if (globalThis.customElements && !customElements.get("launchpad-desk")) customElements.define("launchpad-desk", Element);
