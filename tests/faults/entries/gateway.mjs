// The edge worker, opened to the matrix's page; by itself it is closed to pages of other origins.

import edge from "../../../edge/worker.js";

const OPEN = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type", "access-control-max-age": "7200" };

export default {
  async fetch(request, ...more) {
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: OPEN });
    const { body, status, headers } = await edge.fetch(request, ...more);
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...OPEN } });
  },
};
