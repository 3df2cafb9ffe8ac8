import ky from "ky";
import { report } from "./report.mjs";

await report(async (url, body) => {
  const reply = await ky.post(url, { json: body, throwHttpErrors: false, retry: 0 });
  return [reply.status, await reply.text()];
});
