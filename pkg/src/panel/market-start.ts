// The state of the first market after its past. The build stores it; see first-market.ts.

import { stored } from "build:market-start";
import { rowsOf } from "./first-market.js";

export const rows: readonly string[] = rowsOf(stored);
