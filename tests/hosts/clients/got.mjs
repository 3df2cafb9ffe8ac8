import got from "got";
import { report } from "./report.mjs";

await report(async (url, body) => {
  const { statusCode, body: text } = await got.post(url, { json: body, throwHttpErrors: false, retry: { limit: 0 } });
  return [statusCode, text];
});
