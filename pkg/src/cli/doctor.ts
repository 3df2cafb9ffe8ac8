// `launchpad-desk doctor`: looks at everything that a trade of a profile needs, and says what to do.

import { constants, existsSync } from "node:fs";
import { access, mkdir, open, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import type { MarketOptions } from "launchpad-desk/market";
import { DAY_MS } from "../generated.js";
import { holderAt, isRunning } from "../node/lock.js";
import { type NodeCall, networkCode, nodeCall, pageIn } from "../node-url.js";
import { fileAt } from "../node/place.js";
import { proxyEnv } from "../node/proxy.js";
import { isNode } from "../node/runtime.js";
import { type Common, UsageError, withExample, withProfile } from "./command.js";
import {
  checkMode,
  clientOf,
  freshSandbox,
  headsOf,
  inWorld,
  journalOf,
  recordOf,
  stateOf,
  transportOf,
} from "./desk.js";
import { type Profile, keyOf, missing, nodeOf, readProfile } from "./profile.js";
import { print } from "./show.js";
import { unlock } from "./unlock.js";

interface Check {
  what: string;
  isGood: boolean;
  found: string;
  todo: string | null;
}

/** Rates and rent of a launchpad have changed within months. */
const MOST_AGE_DAYS = 90;
/** A request is refused, and a plan expires, by clocks that differ by more. */
const MOST_DRIFT_MS = 5_000;
/** A node has a new slot every half second, and says when it was to the second. */
const MOST_SLOT_AGE_S = 60;
const ANSWER_MS = 10_000;

const good = (what: string, found: string): Check => ({ what, isGood: true, found, todo: null });
const bad = (what: string, error: unknown, todo: string): Check => ({
  what,
  isGood: false,
  found: error instanceof Error ? error.message : String(error),
  todo,
});

/** Runs a check; what it throws is what it found. */
async function checked(what: string, todo: string, look: () => Promise<string>): Promise<Check> {
  return look().then(
    (found) => good(what, found),
    (error: unknown) => bad(what, error, todo),
  );
}

/** The service's clock by the header of an answer to a request that needs no key and changes nothing. It goes the way of a trade. */
async function clockOf(baseURL: string): Promise<string> {
  const before = Date.now();
  const send = await transportOf();
  const { status, headers } = await send(baseURL, {
    method: "OPTIONS",
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  // Any other may not know the method.
  if (status >= 500 && status !== 501) throw new Error(`the service answers with status ${status}`);
  const date = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(date)) return "the service does not report its time";
  const drift = Math.round(date - (before + Date.now()) / 2);
  if (Math.abs(drift) > MOST_DRIFT_MS)
    throw new Error(`it differs from the service's by ${Math.round(Math.abs(drift) / 1_000)} s`);
  return "it agrees with the service's";
}

/** Whether the client, the market and the sandbox take the profile's options. Key, node and files have checks of their own. */
async function settingsOf(profile: Profile): Promise<string> {
  const { Market } = await import("launchpad-desk/market");
  await clientOf(profile, profile.sandbox && { fetch: (await freshSandbox(profile)).fetch });
  void new Market({ ...profile.market, rpc: "https://rpc.example" });
  return profile.sandbox ? "a sandbox needs none" : "it names a source of the key, and the limits";
}

/** Whether the service accepts the key: by a request without a token, a wallet or an amount, which nobody can execute. */
async function keyAtService({ client }: Profile, apiKey: string): Promise<string> {
  const { baseURL, apiKeyHeader, authorization, gateway } = client as {
    baseURL: string;
    apiKeyHeader?: string;
    authorization?: string;
    gateway?: boolean;
  };
  const isBearer = authorization === "bearer" || (gateway && apiKeyHeader === undefined);
  const [name, value] = isBearer ? ["authorization", `Bearer ${apiKey}`] : [apiKeyHeader ?? "x-api-key", apiKey];
  const headers: Record<string, string> = { [name]: value, "content-type": "application/json" };
  const send = await transportOf();
  const reply = await send(`${baseURL.replace(/\/+$/, "")}/v1/trade/buy`, {
    method: "POST",
    headers,
    body: "{}",
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const { status } = reply;
  const page = await pageIn(reply);
  // A proxy or a firewall in between has answered, and the service has not seen the key.
  if (page) throw new Error(`${page} (${status}): it is not of the service`);
  if (status === 401 || status === 403) throw new Error(`the service does not accept it (${status})`);
  if (status === 404 || status === 405) throw new Error(`there is no /v1/trade/buy at baseURL (${status})`);
  // One that is at work refuses an empty request.
  if (status < 400 || status >= 500) throw new Error(`the service answers an empty request with ${status}`);
  return status === 400 || status === 422
    ? "the service accepts it"
    : `it can be read; the service answers an empty request with ${status}, which does not say whether it accepts the key`;
}

const PROXIES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

async function proxyOf(): Promise<Check[]> {
  const named = PROXIES.find((name) => process.env[name]);
  if (named === undefined) return [];
  if (!isNode) return [good("proxy", `${named} is set, and this runtime sends trades and looks through it`)];
  if (proxyEnv((await import("node:https")).globalAgent))
    return [good("proxy", `${named} is set: trades and looks go through it`)];
  return [
    good(
      "proxy",
      `${named} is set: neither trades nor looks go through it. With NODE_USE_ENV_PROXY=1 both do, on Node 22.21, 24.5 or newer`,
    ),
  ];
}

/** What the node answers to a body. Its URL may have a key in it, so no message has the URL. */
async function postTo({ url, headers }: NodeCall, body: string): Promise<Response> {
  try {
    // Who it redirects to must not get the key, and the market does not go there either.
    return await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch (error) {
    throw new Error(`it cannot be reached (${networkCode(error) || (error as Error).name})`);
  }
}

/** The way to a profile's node, as its market goes it. */
function callOf(profile: Profile): NodeCall | undefined {
  const rpc = nodeOf(profile);
  return rpc === undefined ? undefined : nodeCall(rpc, profile.market["headers"] as NodeCall["headers"] | undefined);
}

async function askNode(rpc: NodeCall, method: string, params: unknown[]): Promise<number> {
  const response = await postTo(rpc, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const page = response.ok ? "" : await pageIn(response);
  if (!response.ok) throw new Error(`it answers with status ${response.status}${page && `: ${page}`}`);
  const { result, error } = Object(await response.json().catch(() => undefined)) as {
    result?: unknown;
    error?: { code?: number };
  };
  if (typeof result !== "number")
    throw new Error(
      `it ${error ? `refuses ${method} (${Number(error.code)})` : `does not answer ${method} with a number`}`,
    );
  return result;
}

/** How many accounts a look at a token with many wallets asks for at once. */
const MOST_ACCOUNTS = 100;
/** The system program's address: an account that every chain has. */
const SYSTEM = "1".repeat(32);

/** Whether the node answers several calls in one request. A look is one; a settlement needs several. */
async function batchesOf(rpc: NodeCall): Promise<string> {
  const calls = ["getSlot", "getBlockHeight"].map((method, id) => ({ jsonrpc: "2.0", id, method, params: [] }));
  const response = await postTo(rpc, JSON.stringify(calls));
  const replies: unknown = await response.json().catch(() => undefined);
  return response.ok && Array.isArray(replies) && replies.length === calls.length
    ? "it answers them"
    : `it refuses them (status ${response.status}): calls go one by one, and settling takes longer`;
}

/** Whether the node answers for as many accounts as a look at many wallets asks for. */
async function accountsOf(rpc: NodeCall): Promise<string> {
  const answers = async (count: number): Promise<boolean> => {
    const response = await postTo(
      rpc,
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "getMultipleAccounts",
        params: [Array<string>(count).fill(SYSTEM), { encoding: "base64" }],
      }),
    );
    const reply = (await response.json().catch(() => undefined)) as { result?: { value?: unknown[] } } | undefined;
    return response.ok && reply?.result?.value?.length === count;
  };
  if (await answers(MOST_ACCOUNTS)) return `${MOST_ACCOUNTS} in one call`;
  const fewer = [50, 20, 10, 5, 1];
  for (const count of fewer)
    if (await answers(count)) return `${count} in one call, not ${MOST_ACCOUNTS}: a look at many wallets takes several`;
  throw new Error("it does not answer getMultipleAccounts");
}

/** Whether the node answers, how old its slot is by a clock that is right, and how much it answers at once. */
async function checksOfNode(profile: Profile, isClockRight: boolean): Promise<Check[]> {
  let slot: number | undefined;
  const node = await checked("node", "look at rpc in the config file, and at the network", async () => {
    const rpc = callOf(profile);
    if (!rpc) return "none (rpc): prices are not known, and no outcome can be proven";
    slot = await askNode(rpc, "getSlot", [{ commitment: profile.market["commitment"] ?? "confirmed" }]);
    return "it answers";
  });
  if (slot === undefined) return [node];
  const at = slot;
  const time = await askNode(callOf(profile)!, "getBlockTime", [at]).catch((error: Error) => error);
  if (time instanceof Error)
    return [node, bad("slot", time, "use a node that answers it: without it no trade can be settled")];
  const seconds = Math.max(0, Math.round(Date.now() / 1_000) - time);
  const found = `${at}, ${seconds} s old`;
  const todo = "use a node that answers it: without it there is no price";
  const old = isClockRight
    ? "its prices are old: use another node"
    : "its prices are old, or this machine's clock is wrong";
  return [
    node,
    seconds <= MOST_SLOT_AGE_S ? good("slot", found) : bad("slot", found, old),
    await checked("batches", todo, () => batchesOf(callOf(profile)!)),
    await checked("accounts", todo, () => accountsOf(callOf(profile)!)),
  ];
}

/** Which of the profile's own wallets the chain cannot be asked about. They trade all the same. */
async function walletsOf({ fromWallet, feePayer, market: options }: Profile): Promise<string> {
  const { Market } = await import("launchpad-desk/market");
  const market = new Market({
    ...(options as object),
    headers: undefined,
    accounts: async (addresses) => ({ context: { slot: 1 }, value: addresses.map(() => null) }),
  } as MarketOptions);
  const lines: string[] = [];
  for (const wallet of new Set([fromWallet, feePayer])) {
    if (wallet === undefined) continue;
    await market
      .before({ body: JSON.stringify({ mint: SYSTEM, fromWallet: wallet }) })
      .catch((error: Error & { code?: string }) => {
        if (error.code !== "no_address") throw error;
        lines.push(
          `${error.message}. Until then what it holds is not known, and no outcome of its trades can be proven`,
        );
      });
  }
  return lines.join("; ") || "each has an address";
}

/** What to do about a file that cannot be opened: another program may have it, or it is damaged. */
async function checkedFile(what: string, file: string, ifDamaged: string, look: () => Promise<string>): Promise<Check> {
  const check = await checked(what, ifDamaged, look);
  const held = check.isGood ? undefined : await fileAt(file).then(holderAt, () => undefined);
  if (!held) return check;
  // It may be the one that carries the exits out.
  if (held.holder && (await isRunning(held.holder)) === "yes")
    return good(what, `process ${held.holder.pid} uses it now: nothing else trades with this profile meanwhile`);
  return { ...check, todo: `if it has ended, launchpad-desk doctor ${file}` };
}

/** The files of a profile, one line each. What is unresolved is only known from a journal that can be read. */
async function checksOfFiles(profile: Profile): Promise<Check[]> {
  const { fileJournal, fileRecord } = await import("launchpad-desk/node");
  const mode = await checked("mode", "use a profile of another name", async () => {
    await checkMode(profile);
    return "";
  });
  if (!mode.isGood) return [mode];
  const checks: Check[] = [];
  if (profile.sandbox) {
    const state = stateOf(profile);
    checks.push(
      await checkedFile("sandbox", state, `move ${state} away to begin a new sandbox`, () =>
        inWorld(profile, async () => "it goes on where it ended"),
      ),
    );
  }
  const record = fileRecord(recordOf(profile));
  checks.push(
    await checkedFile(
      "record",
      recordOf(profile),
      `launchpad-desk verify --profile ${profile.name} says where it breaks`,
      async () => {
        await record.head().finally(() => record.close());
        return "it goes on where it ends";
      },
    ),
  );
  const heads = headsOf(profile);
  if (heads !== undefined) {
    const todo = `make ${dirname(heads)}, or correct recordHeads in ${profile.file}`;
    checks.push(
      await checked("second place", todo, async () => {
        // Before the first trade there is none: an empty one would be no head.
        if (existsSync(heads)) await (await open(heads, "a")).close();
        else await access(dirname(heads), constants.W_OK);
        return heads;
      }),
    );
  }
  const journal = fileJournal(journalOf(profile));
  let unresolved: number | undefined;
  const damaged =
    "it says which trades are unresolved: put a copy of it back, or look at the wallets before you begin a new one";
  checks.push(
    await checkedFile("journal", journalOf(profile), damaged, async () => {
      unresolved = [...(await Promise.resolve(journal.pending()).finally(() => journal.close()))].length;
      return "it can be read";
    }),
  );
  if (unresolved === 0) checks.push(good("trades", "none is unresolved"));
  else if (unresolved !== undefined)
    checks.push(
      bad(
        "trades",
        `${unresolved} ${unresolved === 1 ? "is" : "are"} unresolved`,
        `launchpad-desk settle --profile ${profile.name}`,
      ),
    );
  return checks;
}

async function ageOfRules(now: number): Promise<string> {
  const { defaultLaunchpad } = await import("launchpad-desk/market");
  const { asOf } = defaultLaunchpad();
  const days = Math.floor((now - Date.parse(asOf)) / DAY_MS);
  if (days > MOST_AGE_DAYS) throw new Error(`the built-in rates and rent are of ${asOf}, ${days} days ago`);
  return `the built-in rates and rent are of ${asOf}`;
}

/** Whether a profile has wallets of its own, and a node that may be asked about them. */
const isNamed = ({ fromWallet, feePayer, rpc, rpcEnv }: Profile): boolean =>
  (fromWallet ?? feePayer) !== undefined && (rpc ?? rpcEnv) !== undefined;

async function checksOf(profile: Profile): Promise<Check[]> {
  const { baseURL } = profile.client as { baseURL?: string };
  const lacking = missing(profile);
  const files = await checked("files", `make ${profile.folder} writable for you, with room on its disk`, async () => {
    await mkdir(profile.folder, { recursive: true, mode: 0o700 });
    const tried = join(profile.folder, "doctor.tried");
    await writeFile(tried, tried).finally(() => rm(tried, { force: true }));
    return profile.folder;
  });
  const checks = [
    good(
      "profile",
      `${profile.name} (${profile.sandbox ? "simulated" : "LIVE: real money"}), ${existsSync(profile.file) ? `from ${profile.file}` : "built in: `launchpad-desk init` writes a config file"}`,
    ),
    lacking.length
      ? bad("settings", `it lacks ${lacking.join(", ")}`, `add them to ${profile.file}`)
      : await checked("settings", `correct it in ${profile.file}`, () => settingsOf(profile)),
    files,
    await checked("rules", "update launchpad-desk, or give the profile a node (rpc), which has the current rates", () =>
      ageOfRules(Date.now()),
    ),
  ];
  if (!profile.sandbox) {
    const clock = await checked(
      "service and clock",
      "look at the network, at baseURL, and at this machine's clock",
      () => clockOf(String(baseURL)),
    );
    checks.push(
      ...(await proxyOf()),
      await checked(
        "key",
        "look at its source in the config file, at apiKeyHeader and authorization, and at baseURL",
        async () => {
          const key = await keyOf(profile);
          if (key === undefined) return "none is named";
          // Only to an address that a client takes: the key must not travel unencrypted.
          const isRight = await settingsOf(profile).then(
            () => !lacking.length,
            () => false,
          );
          if (!isRight) return "it can be read; it is sent nowhere before the settings are right";
          await clientOf(profile, { apiKey: key });
          return keyAtService(profile, key);
        },
      ),
      clock,
      ...(await checksOfNode(profile, clock.isGood)),
      ...(isNamed(profile)
        ? [await checked("wallets", `correct market.walletAddresses in ${profile.file}`, () => walletsOf(profile))]
        : []),
    );
  }
  // Where nothing can be written none of them can be opened, whatever is in them.
  return [...checks, ...(files.isGood ? await checksOfFiles(profile) : [])];
}

interface Options extends Common {
  yes?: boolean;
}

async function run(file: string | undefined, { profile, json, yes }: Options): Promise<void> {
  if (file !== undefined) {
    if (profile !== undefined || json) throw new UsageError("a file's lock is looked at without --profile and --json");
    return unlock(file, yes === true);
  }
  if (yes) throw new UsageError("--yes belongs to a file whose lock is to be removed");
  const chosen = await readProfile(profile);
  const checks = await checksOf(chosen);
  const isGood = checks.every((check) => check.isGood);
  const lines = checks.map(
    ({ what, isGood, found, todo }) => `${isGood ? "ok " : "BAD"} ${what}: ${found}${todo ? `; ${todo}` : ""}`,
  );
  print({ json, command: "doctor", profile: chosen, exitCode: isGood ? 0 : 1 }, { checks }, lines);
}

export function addDoctor(program: Command): void {
  const command = withProfile(
    program
      .command("doctor")
      .summary("check everything that a trade needs, or remove the lock of a file whose program has ended")
      .description(
        "Checks everything that a trade needs. With a file it says who holds its lock, asks whether that program has ended, and removes the lock. If that program still runs, two programs would write the file, and a trade could be made twice.",
      ),
  )
    .argument("[file]", "a journal, or the state of a sandbox, whose program has ended without releasing it")
    .option("--yes", "with a file, do not ask: you know that the program has ended");
  withExample(command, "doctor --profile live").action(run);
}
