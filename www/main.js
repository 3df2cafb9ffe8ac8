import { LaunchpadDesk } from "./desk/desk.js";

customElements.define("launchpad-desk", LaunchpadDesk);
