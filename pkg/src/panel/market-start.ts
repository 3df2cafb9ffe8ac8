// The state of the first market after its past. The build writes the rows; see first-market.ts.

export { rows } from "build:market-start";
