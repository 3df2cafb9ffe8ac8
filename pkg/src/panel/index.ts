// `launchpad-desk/panel`: importing it defines <launchpad-desk>.

import type { SandboxConfig } from "../generated.js";
import { LaunchpadDesk as Element } from "./element.js";
import type { DeskEventMap } from "./events.js";
import type { LiveToken, LiveWallet } from "./worlds/world.js";

export type { DeskEvents, DeskHandlers } from "./events.js";
export type { LiveToken, LiveWallet };

/**
 * The trading panel, `<launchpad-desk>`. Importing `launchpad-desk/panel` defines it.
 *
 * Without attributes it trades on a simulated launchpad inside the page, which survives a reload. With `base-url` it trades
 * through a gateway, with real money. Then it opens only once the gateway has answered its health check, and uses no other world
 * instead.
 *
 * It reports to the page with four events, which bubble out of its shadow root: `desk-plan`, `desk-sent`, `desk-outcome` and
 * `desk-unprotected`; see {@link DeskEvents}. Style it with the `--desk-…` custom properties and with `::part(ticket)`, `quote`, `consent`, `send`, `bar`,
 * `reach` and `outcomes`.
 *
 * @example
 * ```html
 * <script type="module">import "launchpad-desk/panel";</script>
 * <launchpad-desk></launchpad-desk>
 * ```
 */
export interface LaunchpadDesk extends HTMLElement {
  /** The name that the simulated launchpad is stored under; panels of the same name share it. Attribute `name`. Default: `desk`. */
  name: string;
  /** Attribute `mode`. Default: `live` with a `base-url`, else `simulated`. */
  mode: "simulated" | "live" | null;
  /** Base URL of a gateway, without `/v1`, for live mode. Attribute `base-url`. */
  baseUrl: string | null;
  /** Mint address of the token to trade first. Attribute `mint`. */
  mint: string | null;
  /** Id of the wallet to trade from first. Attribute `wallet`. */
  wallet: string | null;
  /** What the amount field holds at first, as a person would type it: SOL to spend. Attribute `amount`. */
  amount: string | null;
  /** What the trader cannot change: `mint`, `amount`, or both with a space between. Attribute `fixed`. */
  fixed: string | null;
  /** The caller's token for the gateway, if it asks for one. A property only, so that it is not in the page's source. */
  token: string | undefined;
  /** The tokens that live mode can trade, besides `mint`. */
  tokens: readonly LiveToken[];
  /** The wallets that live mode can trade from, besides `wallet`. */
  wallets: readonly LiveWallet[];
  /**
   * Whether others sign for these wallets, too. Only a page that knows that nobody does sets it to false: then the chain can prove that a
   * trade of unknown outcome landed. Default: true.
   */
  walletsShared: boolean;
  /**
   * How many milliseconds after the press a gateway may still accept a trade, from 1000 to 60000: more where the network is slow, and then a
   * trade may be made that much later than it was wanted. Attribute `send-within-ms`. Default: 5000.
   */
  sendWithinMs: number | null;
  /**
   * What one SOL costs in US dollars now, as decimal text with at most nine decimals: `"142.37"`. The panel then shows about how many
   * dollars the important figures are, by this rate, for two minutes after it was last set. Nothing is decided by it. Default: none.
   */
  solPriceUsd: string | undefined;
  /**
   * The panel in another language: for each English sentence that it has, this one. A sentence that is missing, or that
   * lacks a part such as `{0}`, is in English. Panels of one page have one language. Default: English.
   */
  words: Readonly<Record<string, string>> | undefined;
  /** The config of the simulated launchpad; read when the element is added to a page. Default: a market that moves by itself. */
  sandbox: SandboxConfig | undefined;
}

/** The properties that a template may set, each as in {@link LaunchpadDesk}. */
export type DeskProperties = Partial<Omit<LaunchpadDesk, keyof HTMLElement>>;

declare global {
  interface HTMLElementTagNameMap {
    "launchpad-desk": LaunchpadDesk;
  }
  interface HTMLElementEventMap extends DeskEventMap {}
}

/** The element's class. */
export const LaunchpadDesk: new () => LaunchpadDesk = Element;

// On a server there are no custom elements.
if (globalThis.customElements && !customElements.get("launchpad-desk"))
  customElements.define("launchpad-desk", Element);
