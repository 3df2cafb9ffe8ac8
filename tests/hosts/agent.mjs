// Agents: clients that call the package's tools, of a server that a command starts, or of one in this process.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serverOf } from "../../pkg/dist/mcp.js";

/** A client over a transport, until the test ends, and a function that calls a tool. */
export async function agentOver(transport, t, options) {
  const client = new Client({ name: "test", version: "0" }, options);
  t.after(() => client.close());
  await client.connect(transport);
  const call = async (name, fields = {}) => (await client.callTool({ name, arguments: fields })).structuredContent;
  return { client, call };
}

/** The transport to a server that this command starts, over standard input and output. */
export const overStdio = ([command, ...args], { env, cwd }) =>
  new StdioClientTransport({ command, args, env, cwd, stderr: "inherit" });

/** The transport to a server of this desk, in this process. Nobody approves there; what approval is asked for is noted in `asked`. */
export async function overMemory(desk, asked = []) {
  const ask = async ({ intentId }) => void asked.push(intentId);
  const rest = {
    ...{ version: "0", name: "desk", limits: {}, plans: new Map(), noted: async () => {}, settle: async () => [] },
    approvals: { ask, isApproved: async () => false, how: () => "" },
  };
  const [near, far] = InMemoryTransport.createLinkedPair();
  await serverOf({ ...rest, ...desk }).connect(far);
  return near;
}
