// The MCP server around a desk, over standard input and output, or over HTTP for the programs of this machine.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type AgentDesk, type ClosedDesk, serverOf } from "./tools.js";

export { type AgentDesk, type Approvals, type ClosedDesk, serverOf } from "./tools.js";

/** Serves a desk to the program that started this one, until that closes standard input. */
export async function serveOverStdio(desk: ClosedDesk, open: () => Promise<AgentDesk>): Promise<void> {
  const handle = serveStdio(() => serverOf(desk, open));
  // Deno reports only the end.
  await Promise.race([once(process.stdin, "end"), once(process.stdin, "close")]);
  await handle.close();
}

/** Serves a desk over HTTP on this machine, until `signal` aborts. Pages of other origins are refused. */
export async function serveOverHttp(
  desk: AgentDesk,
  port: number,
  onListening: (url: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const handler = createMcpHandler(() => serverOf(desk));
  const fetch = async (request: Request): Promise<Response> =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    handler.fetch(request);
  const answer = toNodeHandler({ fetch });
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(port, "127.0.0.1"), "listening");
  onListening(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  if (!signal.aborted) await once(signal, "abort");
  server.closeAllConnections();
  server.close();
}
