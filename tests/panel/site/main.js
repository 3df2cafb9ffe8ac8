// One panel. After `#` stand the settings of its sandbox, as JSON: without any, its market stands still; `null` stands for a market
// that lives. After `?` stand its attributes, and the token of a gateway's caller and its tokens, which are properties.

import "launchpad-desk/panel";

const panel = document.createElement("launchpad-desk");
const sandbox = decodeURIComponent(location.hash.slice(1));
panel.sandbox = sandbox ? (JSON.parse(sandbox) ?? undefined) : {};
for (const [name, value] of new URLSearchParams(location.search)) {
  if (name === "token") panel.token = value;
  else if (name === "tokens") panel.tokens = JSON.parse(value);
  else panel.setAttribute(name, value);
}
document.querySelector("main").append(panel);
