// Rows × runtimes: opens a server for each row, has the runtime make the calls, and compares.

import { openHttp2Server } from "./http2.mjs";
import { differences } from "./outcomes.mjs";
import { rowOn } from "./rows.mjs";
import { openServer } from "./server.mjs";

const KEY = "sk-fault-matrix-51c0ffee";

/** How many rows run at once. */
const PARALLEL = 4;

/** What is wrong with a call's result, and with how often it reached the server: sentences; none if all is well. */
function complaints(row, call, seen, posts) {
  const expected = row.expected(call);
  const found = differences(expected, seen);
  if (found.length && seen?.message) found.push(`it says: ${seen.message}`);
  found.push(...differences(row.expectedPosts(call), posts, "the number of POSTs that the server saw"));
  if (seen?.settled === "error")
    found.push(
      ...differences(
        { outcome: seen.outcome, code: seen.code, name: seen.name, message: seen.message },
        seen.json,
        "toJSON()",
      ),
    );
  return row.calls > 1 ? found.map((text) => `call ${call}: ${text}`) : found;
}

function judge(row, { server, elsewhere }, report) {
  if (!report) return ["the driver told nothing of it"];
  if (report.failure) return [`the driver failed: ${report.failure}`];
  const found = [];
  if (report.results.length !== row.calls && row.task === "calls")
    found.push(`${report.results.length} of ${row.calls} calls were made`);
  for (let call = 0; call < report.results.length; call++)
    found.push(...complaints(row, call, report.results[call], server.posts[call] ?? 0));
  if (JSON.stringify(report).includes(KEY)) found.push("the API key is in what came of it");
  for (const { headers, method } of server.requests) {
    if (method !== "POST") found.push(`a ${method} came`);
    else if (headers["x-api-key"] !== KEY) found.push("a POST came without the API key");
  }
  for (const { headers, method } of server.asked)
    if (headers["x-api-key"]) found.push(`the API key came with ${method}`);
  const astray = elsewhere.requests.length + elsewhere.asked.length;
  if (astray) found.push(`${astray} requests went elsewhere`);
  found.push(...server.mishaps.map((mishap) => `the row's script failed: ${mishap}`));
  return found;
}

/**
 * Runs rows on a runtime and resolves to the results: for each row its report, how often its calls reached the
 * server, and its complaints; and the complaints about the runtime as a whole.
 *
 * @param {{ families: string[], start: Function, takes?: (row: object) => boolean }} runtime see runtimes.mjs
 * @param {object[]} rows see rows.mjs
 * @param {object} project see `makeProject` in project.mjs
 */
export async function runMatrix(runtime, rows, project) {
  const cases = [];
  for (const row of rows
    .filter(runtime.takes ?? (() => true))
    .map((row) => rowOn(row, runtime.families))
    .filter(Boolean)) {
    const elsewhere = await openServer({ script: (exchange) => exchange.end() });
    cases.push({
      row,
      elsewhere,
      server: await (row.http2 ? openHttp2Server : openServer)(row, {
        elsewhere: elsewhere.url,
        files: project?.files,
      }),
    });
  }
  if (!cases.length) return { results: [], complaints: [] };
  let started;
  try {
    started = await runtime.start(project);
    const job = cases.map(({ row: { name, task, calls, parallel, options, call, warm, wire }, server }, id) => ({
      id,
      url: server.url,
      key: KEY,
      name,
      task,
      calls,
      parallel,
      options,
      call,
      warm,
      wire,
    }));
    const { reports, log } = await started.run({ rows: job, parallel: PARALLEL });
    const byId = new Map(reports.map((report) => [report.id, report]));
    return {
      results: cases.map((one, id) => ({
        row: one.row,
        report: byId.get(id),
        posts: one.server.posts,
        complaints: judge(one.row, one, byId.get(id)),
      })),
      complaints: log.includes(KEY) ? ["the API key is in what it logged"] : [],
    };
  } finally {
    await started?.close();
    await Promise.all(cases.flatMap(({ server, elsewhere }) => [server.close(), elsewhere.close()]));
  }
}
