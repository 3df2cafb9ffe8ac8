import { trade } from "../trade.js";

export const runtime = "edge";

export async function GET() {
  return Response.json({ runtime: globalThis.EdgeRuntime, ...(await trade()) });
}
