import axios from "axios";
import { report } from "./report.mjs";

await report(async (url, body) => {
  const { status, data } = await axios.post(url, body, {
    validateStatus: null,
    responseType: "text",
    transformResponse: (text) => text,
  });
  return [status, data];
});
