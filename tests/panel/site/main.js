// One panel. After `#` stand the settings of its sandbox, as JSON; without any, its market stands still.

import "launchpad-desk/panel";

const panel = document.createElement("launchpad-desk");
const sandbox = decodeURIComponent(location.hash.slice(1));
panel.sandbox = sandbox ? JSON.parse(sandbox) : {};
document.querySelector("main").append(panel);
