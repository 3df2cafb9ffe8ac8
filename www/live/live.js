// The panel behind a gateway. `gateway.json` says which one, and what this page may trade there: npm run edge serves it.

import "launchpad-desk/panel";

const desk = document.createElement("launchpad-desk");
const settings = await (await fetch("gateway.json")).json();
document.querySelector("main").append(Object.assign(desk, { mode: "live" }, settings));
