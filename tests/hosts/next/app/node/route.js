import { trade } from "../trade.js";

export const dynamic = "force-dynamic";

export async function GET() {
  return Response.json({ runtime: process.release.name, ...(await trade()) });
}
