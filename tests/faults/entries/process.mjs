// The driver as a program, for Node, Bun and Deno: the job as JSON on standard input, a line of JSON for each row on
// standard output. Its argument names the transport.

import process from "node:process";
import { drive } from "./driver.mjs";
import { transports } from "./transports.mjs";

let text = "";
for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
const settings = await transports[process.argv[2]]();
await drive(JSON.parse(text), (report) => console.log(JSON.stringify(report)), settings);
