import "launchpad-desk/panel";
