import { request } from "undici";
import { report } from "./report.mjs";

await report(async (url, body) => {
  const { statusCode, body: answered } = await request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return [statusCode, await answered.text()];
});
