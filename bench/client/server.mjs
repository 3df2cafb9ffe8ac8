// A service that answers every buy, in its own process; it ends with the process that forked it.

import { createServer } from "node:http";
import { reply } from "./reply.mjs";

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const body = reply();
    response
      .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      .end(body);
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
