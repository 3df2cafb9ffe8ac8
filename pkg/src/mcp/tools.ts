// What an agent may do: eight tools around one desk. A plan is made, judged and sent by the client itself; no tool can acknowledge, resume,
// raise a limit, or name another destination.

import { McpServer } from "@modelcontextprotocol/server";
import type { CallToolResult, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { IntentOutcome, Operation, Plan, RequestOf, TradeClient } from "launchpad-desk";
import type { Market } from "launchpad-desk/market";
import type { Sandbox } from "launchpad-desk/sandbox";
import { isLosslessNumber } from "lossless-json";
import { settleBy } from "../cli/advice.js";
import { exactJson } from "../cli/exact-json.js";
import { planOf } from "../cli/planning.js";
import { SIDES } from "../generated.js";
import { inJson } from "../json.js";
import { UNTRUSTED, untrusted, withUntrusted } from "./untrusted.js";

/** The desk that the tools work at. */
export interface AgentDesk {
  readonly version: string;
  readonly name: string;
  readonly client: TradeClient;
  readonly sandbox: Sandbox | undefined;
  readonly market: Market | undefined;
  readonly limits: Record<string, unknown>;
  /** The wallet, and the payer of fees, of a trade that names none. */
  readonly fromWallet: string | undefined;
  readonly feePayer: string | undefined;
  /** A plan that moves more waits for a person; undefined: no plan does. */
  readonly approveOverLamports: bigint | undefined;
  readonly approvals: Approvals;
  /** The plans that an agent may execute. */
  readonly plans: Plans;
  noted(plan: Plan): Promise<void>;
  /** Finds out how unknown trades ended, or why that is not known yet: at a gateway, the state that it has there. */
  settle(): Promise<{ intentId: string; outcome: IntentOutcome; reason?: string | null }[]>;
}

/** Where a person approves plans: never through a tool. */
export interface Approvals {
  ask(plan: Plan): Promise<void>;
  isApproved(plan: Plan): Promise<boolean>;
  readonly how: (plan: Plan) => string;
}

/** Plans by id: each is executed at most once. One that a person must approve stays so, however little it would move later. */
export type Plans = Map<
  string,
  { readonly plan: Plan; waits: boolean; state: "planned" | "refused" | "executing" | "done"; result?: Ended }
>;

interface Ended {
  readonly outcome: IntentOutcome;
  readonly trade?: unknown;
  readonly error?: unknown;
}

/** The most plans that are remembered: the oldest go. One that was executed is still known to the client's journal. */
const MOST_PLANS = 1_000;

/** What an agent may ask for, in the service's order, and the fields of each: an operation that is missing does not compile. */
const FIELDS: { readonly [O in Operation]: string } = {
  buy: "mint, fromWallet, amountInLamports",
  sell: "mint, fromWallet, amountInToken (whole tokens, as text)",
  sellByPercentage: "mint, fromWallet, percentage",
  bundleBuy: "mint, feePayer, and buys, a list of fromWallet and amountInLamports",
  bundleSell: "mint, feePayer, and sells, a list of fromWallet and amountInToken",
  bundleSellByPercentage: "mint, feePayer, and sells, a list of fromWallet and percentage",
};

/** An argument of a tool, as JSON Schema. Some clients drop a server for a schema without the names of its properties. */
interface Argument {
  readonly type: "string" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Argument;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: Argument };
}

type Arguments = { readonly [name: string]: Argument };

const text = (description: string): Argument => ({ type: "string", description });
const LAMPORTS = text("A whole number of lamports.");
const TOKENS = text("Whole tokens, such as 16.99.");
const PERCENTAGE = text("The share to sell, in percent: above 0, at most 100.");
const SLIPPAGE: Argument = {
  type: "object",
  description: "How far the price may move against the trade.",
  properties: { percent: text("In percent: 0.5 is half a percent.") },
};
const leg = (amounts: Arguments): Argument => ({
  type: "array",
  items: {
    type: "object",
    properties: { fromWallet: text("The wallet that trades."), ...amounts, slippage: SLIPPAGE },
  },
});

/** Numbers may be given as numbers or as text. The core checks them: it names every wrong field, with the nearest that there is. */
const REQUEST: Arguments = {
  operation: { type: "string", enum: Object.keys(FIELDS), description: "What to do." },
  request: {
    type: "object",
    description: `The fields of the operation. ${Object.entries(FIELDS)
      .map(([operation, fields]) => `${operation}: ${fields}.`)
      .join(" ")} Optional: slippage ({ percent }), feePayer, priorityUnitLimit, priorityUnitPrice.`,
    properties: {
      mint: text("The token's mint address."),
      fromWallet: text("The wallet that trades; of a bundle, each of its trades has one."),
      feePayer: text("The wallet that pays the network fee."),
      amountInLamports: LAMPORTS,
      amountInToken: TOKENS,
      percentage: PERCENTAGE,
      buys: leg({ amountInLamports: LAMPORTS }),
      sells: leg({ amountInToken: TOKENS, percentage: PERCENTAGE }),
      slippage: SLIPPAGE,
      priorityUnitLimit: text("Most priority units to pay for."),
      priorityUnitPrice: text("Micro-lamports for each of them."),
    },
  },
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function problemOf(
  name: string,
  { type, enum: known, items, maxItems = Infinity }: Argument,
  value: unknown,
): string | undefined {
  if (type === "object") return isObject(value) ? undefined : `${name} must be an object`;
  if (type === "string") {
    if (typeof value !== "string") return `${name} must be a string`;
    return known && !known.includes(value) ? `${name} must be one of ${known.join(", ")}` : undefined;
  }
  if (!Array.isArray(value)) return `${name} must be a list`;
  return value.length > maxItems
    ? `${name} must have at most ${maxItems} elements`
    : value.map((one, at) => problemOf(`${name}[${at}]`, items!, one)).find((problem) => problem !== undefined);
}

/** The arguments of a call. Some clients pass an object as its JSON text: that is read exactly. What is wrong throws. */
function argumentsOf(
  tool: string,
  known: Arguments,
  required: readonly string[],
  given: unknown,
): Record<string, unknown> {
  if (!isObject(given)) throw new TypeError("the arguments must be an object");
  const names = Object.keys(known);
  const stranger = Object.keys(given).find((name) => !names.includes(name));
  if (stranger !== undefined)
    throw new TypeError(`${tool} has no argument ${stranger}; it has ${names.join(", ") || "none"}`);
  const read = Object.entries(given).map(([name, value]): [string, unknown] => {
    if (known[name]!.type !== "object" || typeof value !== "string") return [name, value];
    try {
      return [name, exactJson(value)];
    } catch (error) {
      throw new TypeError(`${name} is text, and not the JSON of an object: ${(error as Error).message}`);
    }
  });
  const args = Object.fromEntries(read);
  for (const name of names) {
    if (args[name] === undefined && !required.includes(name)) continue;
    const problem = args[name] === undefined ? `${name} is missing` : problemOf(name, known[name]!, args[name]);
    if (problem !== undefined) throw new TypeError(problem);
  }
  return args;
}

/** A schema for a client to read. The tool checks the arguments itself, so that its errors have the shape of its results. */
function shown(
  properties: Arguments,
  required: readonly string[],
): StandardSchemaWithJSON<Record<string, unknown>, Record<string, unknown>> {
  const schema = { type: "object", properties, required: [...required], additionalProperties: false };
  const jsonSchema = { input: () => schema, output: () => schema };
  const validate = (value: unknown) => ({ value: value as Record<string, unknown> });
  return { "~standard": { version: 1, vendor: "launchpad-desk", jsonSchema, validate } };
}

/** What JSON has no exact form for, as text. */
const withText = (key: string, value: unknown): unknown =>
  isLosslessNumber(value) ? String(value) : inJson(key, value);

const buys = ({ operation }: Plan): boolean => SIDES[operation] === "buy";

/** What a price says of a request. */
type Price = { refused: unknown; legs: readonly { [F in "tokens" | "walletLamports"]: bigint | string }[] } | null;

/** The network's fees of a plan, which the desk's client has made. */
const feesOf = ({ counted }: Plan): bigint => BigInt(counted?.fees ?? 0);

/** The lamports that a plan moves: what its buys may take, or its sells would bring at this price, and their fees; null if that is not known. */
function movedBy(plan: Plan, price: Price): bigint | null {
  if (buys(plan)) return plan.counted ? BigInt(plan.counted.lamports) : null;
  return price && !price.refused
    ? price.legs.reduce((sum, { walletLamports }) => sum + BigInt(walletLamports), feesOf(plan))
    : null;
}

/** What the body of a request or a plan would do now, in the unit in which it has the slippage; undefined without a market. */
const quoted = (
  { operation, body, slippageUnit }: Pick<Plan, "operation" | "body"> & Partial<Pick<Plan, "slippageUnit">>,
  { sandbox, market }: AgentDesk,
) => (sandbox ? sandbox.quoteBody(operation, body) : market?.quoteBody(operation, body, slippageUnit));

/** What a plan would do now, null if nobody knows: the price may have risen, and a percentage takes its part of what is held by now. */
async function priceNow(plan: Plan, desk: AgentDesk): Promise<Price> {
  return (await quoted(plan, desk)?.catch(() => null)) ?? null;
}

/** Whether a plan may now bring less than its own price said at worst. Without a price nobody buys; a sell that a person has approved goes. */
function isPast(plan: Plan, now: Price): boolean {
  const { price } = plan;
  if (!price || price.refused) return false;
  if (!now || now.refused) return buys(plan);
  const [brings, worst] = buys(plan)
    ? (["tokens", "worstTokens"] as const)
    : (["walletLamports", "worstWalletLamports"] as const);
  return now.legs.some((leg, at) => BigInt(leg[brings]) < BigInt(price.legs[at]![worst]));
}

/** Whether a person must approve a plan. The guards stop no sell for what was spent today, so its fees need one then, with those being sent. */
function needsPerson(plan: Plan, price: Price, { approveOverLamports, client: { guards }, plans }: AgentDesk): boolean {
  const fees = buys(plan) ? 0n : feesOf(plan);
  const sending = [...plans.values()].reduce(
    (sum, { plan, state }) => (state === "executing" ? sum + feesOf(plan) : sum),
    0n,
  );
  if (fees && guards.maxLamportsPerDay !== null && guards.lamportsToday + sending + fees > guards.maxLamportsPerDay)
    return true;
  if (approveOverLamports === undefined) return false;
  const moved = movedBy(plan, price);
  return moved === null || moved > approveOverLamports;
}

const EXPIRED = "This plan has expired: make a new one with the tool plan.";

/** What to do with a plan that was not executed. */
function nextOfPlan({ plan, waits }: { plan: Plan; waits: boolean }): string {
  if (plan.expiresAtMs <= Date.now()) return EXPIRED;
  return waits ? "Call execute: it asks a person for approval." : "Call execute with planId to send it.";
}

/** What a tool does with arguments that were checked, at the open desk. */
type Work = (args: Record<string, unknown>, desk: AgentDesk) => Promise<CallToolResult>;

const SETTLE = `${settleBy("the tool status")} A new plan of the same trade counts as sending it again.`;

const REFUSED = "The limits refuse it: see refused. Nothing can be executed.";

/** What a tool does, as hints of the protocol: it looks, it writes down what it made or found out, or it trades or stops trading. */
const HINTS = {
  looks: { readOnlyHint: true, destructiveHint: false },
  notes: { readOnlyHint: false, destructiveHint: false },
  acts: { readOnlyHint: false, destructiveHint: true },
} as const;

/** What to do once a trade stands so. */
function nextAfter(outcome: IntentOutcome, code?: string): string {
  if (outcome === "unknown") return code === "awaiting_approval" ? "A person decides. Call status later." : SETTLE;
  if (outcome === "landed") return "It is done: nothing is left to do for this trade.";
  if (outcome === "unconfirmed")
    return "The service accepted it and did not say that it landed. Look at state before you trade on.";
  if (outcome === "failed")
    return "The network fee was paid, and nothing else moved. Look at the reason before you make a new plan.";
  return "Nothing has moved. Look at the reason before you make a new plan.";
}

/** What is known of a desk before it is open. */
export interface ClosedDesk {
  readonly version: string;
  /** Whether it trades in a sandbox. */
  readonly sandbox: unknown;
  /** Why it is not open, if it is known not to be. */
  readonly closed?: string | undefined;
}

/** A server with the tools of a desk, which a call opens if need be. Each result says the mode, the outcome of its trade, and what to do next. */
export function serverOf(desk: ClosedDesk, open = async (): Promise<AgentDesk> => desk as AgentDesk): McpServer {
  const { version, sandbox: isSimulated, closed } = desk;
  const mode = isSimulated ? "simulated" : "live";
  const server = new McpServer(
    { name: "launchpad-desk", version },
    {
      instructions:
        closed === undefined ? UNTRUSTED : `This desk is not open: ${closed}. Each call tries to open it. ${UNTRUSTED}`,
    },
  );

  const result = (outcome: IntentOutcome, fields: Record<string, unknown>, next: string): CallToolResult => {
    const marked = withUntrusted(JSON.parse(JSON.stringify(fields, withText))) as object;
    const content = { mode, outcome, ...marked, next };
    return { content: [{ type: "text", text: JSON.stringify(content) }], structuredContent: content };
  };
  const refusal = (message: unknown): CallToolResult => ({
    ...result("not_sent", { error: { message, outcome: "not_sent" } }, "This call sent nothing."),
    isError: true,
  });
  /** The result of a tool that sends nothing. */
  const sentNothing = (fields: Record<string, unknown>, next: string): CallToolResult =>
    result("not_sent", fields, next);

  /** Runs a tool. What goes wrong is its result, with the outcome first. */
  const guarded =
    (read: (given: unknown) => Record<string, unknown>, work: Work) =>
    async (given: Record<string, unknown>): Promise<CallToolResult> => {
      let desk: AgentDesk | undefined;
      try {
        const args = read(given);
        desk = await open();
        return await work(args, desk);
      } catch (error) {
        const { message, outcome, code } = error as Error & { outcome?: IntentOutcome; code?: string };
        // Once the desk is open, a node's or a market's own words may be in it.
        if (outcome === undefined || code === undefined) return refusal(desk ? untrusted(message) : message);
        return { ...result(outcome, { error }, nextAfter(outcome, code)), isError: true };
      }
    };

  const add = (
    name: string,
    description: string,
    { known, required, does }: { known: Arguments; required: readonly string[]; does: keyof typeof HINTS },
    work: Work,
  ): void => {
    const read = (given: unknown): Record<string, unknown> => argumentsOf(name, known, required, given);
    server.registerTool(
      name,
      {
        description: `${description} ${UNTRUSTED}`,
        inputSchema: shown(known, required),
        annotations: { ...HINTS[does], openWorldHint: !isSimulated },
      },
      guarded(read, work),
    );
  };
  const warning = isSimulated ? "Simulated: no money moves. " : "REAL MONEY. ";

  add(
    "policy",
    `${warning}What you may do: the limits of this desk, and what only a person may.`,
    { known: {}, required: [], does: "looks" },
    async (_args, desk) =>
      sentNothing(
        {
          profile: desk.name,
          limits: desk.limits,
          fromWallet: desk.fromWallet ?? null,
          approveOverLamports: desk.approveOverLamports ?? null,
          guards: desk.client.guards,
          onlyPeople: [
            "approve a plan over approveOverLamports",
            "resume after halt",
            "change a limit",
            "record what was found about an unknown trade",
            "choose the service",
          ],
        },
        "To trade, make a plan.",
      ),
  );

  add(
    "state",
    `${warning}What the wallets hold of a token, the guards, and the trades of unknown outcome.`,
    {
      known: { mint: { type: "string" }, wallets: { type: "array", items: { type: "string" }, maxItems: 50 } },
      required: [],
      does: "looks",
    },
    async ({ mint, wallets = [] }, { client, sandbox, market }) => {
      const unresolved = await client.pending();
      // A node that lags behind one's own trade gives none for a while.
      const noLook = (error: unknown) => ({ noLook: (error as Error).message });
      const look =
        market && typeof mint === "string" ? await market.look(mint, wallets as string[]).catch(noLook) : null;
      const seen = sandbox ? { tokens: sandbox.tokens, wallets: sandbox.wallets } : look;
      return sentNothing(
        { guards: client.guards, unresolved, market: seen },
        unresolved.length ? SETTLE : "To trade, make a plan.",
      );
    },
  );

  const asked = ({ operation, request }: Record<string, unknown>, { fromWallet, feePayer }: AgentDesk) => {
    const single = (operation as string).startsWith("bundle") ? {} : { fromWallet };
    return [operation as Operation, { ...single, feePayer, ...(request as object) } as RequestOf[Operation]] as const;
  };

  add(
    "quote",
    `${warning}What a trade would do now. Nothing is sent.`,
    { known: REQUEST, required: ["operation", "request"], does: "looks" },
    async (args, desk) => {
      const [operation, request] = asked(args, desk);
      // A plan that nobody sends: it is priced by the market, which also says how many decimals the token has.
      const { price: quote, refused, counted } = await desk.client.plan(operation, request);
      return quote
        ? sentNothing({ quote, counted, refused }, refused ? REFUSED : "To trade, make a plan.")
        : refusal("this desk has no node to ask for prices");
    },
  );

  add(
    "plan",
    `${warning}Makes a plan of a trade: exact bytes, price, the verdict of the limits. Nothing is sent. The plan expires, and works once.`,
    { known: REQUEST, required: ["operation", "request"], does: "notes" },
    async (args, desk) => {
      const { plans } = desk;
      const plan = await planOf(desk, ...asked(args, desk), {
        validForMs: desk.approveOverLamports === undefined ? 60_000 : 600_000,
      });
      await desk.noted(plan);
      const needsApproval = needsPerson(plan, plan.price, desk);
      plans.set(plan.intentId, { plan, waits: needsApproval, state: plan.refused ? "refused" : "planned" });
      for (const [id, { state }] of plans) if (plans.size > MOST_PLANS && state !== "executing") plans.delete(id);
      const { intentId: planId, operation, body, price, refused, warnings, expiresAtMs, counted } = plan;
      const next = refused ? REFUSED : nextOfPlan({ plan, waits: needsApproval });
      return sentNothing(
        { planId, operation, request: exactJson(body), price, counted, refused, warnings, expiresAtMs, needsApproval },
        next,
      );
    },
  );

  add(
    "execute",
    `${warning}Sends a plan, once. ${SETTLE}`,
    { known: { planId: { type: "string" } }, required: ["planId"], does: "acts" },
    async ({ planId }, desk) => {
      const { client, plans, approvals } = desk;
      const kept = plans.get(planId as string);
      if (!kept) return refusal("there is no such plan: make one with the tool plan");
      if (kept.state === "refused") return refusal(REFUSED);
      if (kept.state !== "planned") return refusal("this plan was executed before: see status");
      const { plan } = kept;
      if (plan.expiresAtMs <= Date.now()) return refusal(EXPIRED);
      const price =
        kept.waits || desk.approveOverLamports === undefined || buys(plan) ? plan.price : await priceNow(plan, desk);
      kept.waits ||= needsPerson(plan, price, desk);
      if (kept.waits && !(await approvals.isApproved(plan))) {
        await approvals.ask(plan);
        return sentNothing(
          { planId, awaitingApproval: true, expiresAtMs: plan.expiresAtMs },
          `A person must approve this plan: ${approvals.how(plan)}. Then call execute again.`,
        );
      }
      // What the person saw may be minutes old.
      if (kept.waits && isPast(plan, await priceNow(plan, desk)))
        return refusal("now it may bring less than was approved at worst: make a new plan");
      // It may have been executed while the price or the approval was read.
      if (plans.get(plan.intentId)?.state !== "planned") return refusal("this plan was executed before: see status");
      kept.state = "executing";
      try {
        const trade = await client.send(plan);
        kept.result = { outcome: trade.status, trade };
        return result(trade.status, { planId, trade }, nextAfter(trade.status));
      } catch (error) {
        const { outcome, message } = error as Error & { outcome?: IntentOutcome };
        kept.result = { outcome: outcome ?? "unknown", error };
        if (outcome !== undefined) throw error;
        // An error that is not of a trade does not say whether the trade was made.
        return { ...result("unknown", { planId, error: { message } }, SETTLE), isError: true };
      } finally {
        kept.state = "done";
      }
    },
  );

  add(
    "status",
    `${warning}How a plan and the trades of unknown outcome ended, as far as it can be proven.`,
    { known: { planId: { type: "string" } }, required: [], does: "notes" },
    async ({ planId }, desk) => {
      const { client, plans } = desk;
      // Without a node nothing can be found out, and what is unresolved stays so.
      let problem: string | null = null;
      const found =
        desk.market || (await client.pending()).length
          ? await desk.settle().catch((error: Error) => ((problem = error.message), []))
          : [];
      const settled = new Map(
        found.filter(({ outcome }) => outcome !== "unknown").map(({ intentId, outcome }) => [intentId, outcome]),
      );
      // What the chain shows counts, whenever that was found.
      const shown = typeof planId === "string" ? await client.endedTrade(planId) : null;
      if (shown?.proven) settled.set(planId as string, shown.outcome);
      for (const [intentId, outcome] of settled) {
        const known = plans.get(intentId);
        if (known && known.result?.outcome !== outcome) known.result = { outcome };
      }
      const unresolved = await client.pending();
      const fields = { settled: found, unresolved, problem };
      if (typeof planId !== "string")
        return result(
          unresolved.length ? "unknown" : "not_sent",
          { plan: null, ...fields },
          unresolved.length ? SETTLE : "Nothing is unresolved. To trade, make a plan.",
        );
      const kept = plans.get(planId);
      const isOpen = unresolved.some(({ intentId, answered }) => intentId === planId && !answered);
      const ended = settled.get(planId);
      if (!kept && !isOpen && !ended)
        return result(
          "unknown",
          { plan: null, ...fields },
          "This server does not know that plan: an earlier run may have sent it. Look at state, and ask a person before you plan the same again.",
        );
      const outcome = isOpen
        ? "unknown"
        : (ended ??
          kept?.result?.outcome ??
          (kept?.state === "planned" || kept?.state === "refused" ? "not_sent" : "unknown"));
      const why = found.find(({ intentId }) => intentId === planId)?.reason ?? undefined;
      const next = kept?.state === "planned" ? nextOfPlan(kept) : nextAfter(outcome, why);
      return result(
        outcome,
        { plan: { planId, state: kept?.state ?? "done", result: kept?.result ?? { outcome } }, ...fields },
        next,
      );
    },
  );

  add(
    "halt",
    `${warning}Stops all trading of this desk at once. Only a person can resume it.`,
    { known: {}, required: [], does: "acts" },
    async (_args, { client }) => {
      await client.halt();
      return sentNothing({ guards: client.guards }, "Only a person can resume trading.");
    },
  );

  if (isSimulated) {
    add(
      "sandbox_fault",
      "Simulated only: what goes wrong with the next trade. noAnswer: it is made, and its answer is lost.",
      {
        known: { kind: { type: "string", enum: ["none", "noAnswer", "dropped", "transactionFails", "rateLimited"] } },
        required: ["kind"],
        does: "acts",
      },
      async ({ kind }, { sandbox }) => {
        sandbox!.setFaults({ script: [{ kind: kind as "none" }] });
        return sentNothing({ fault: kind }, "Execute a plan: this happens to it.");
      },
    );
  }
  return server;
}
