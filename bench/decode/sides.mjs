// Ours, and what a bot would otherwise use to read a reply.

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

let state = 1;
const below = (bound) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
};
const text = (length) => Array.from({ length }, () => BASE58[below(58)]).join("");

function reply() {
  const [mint, wallet, tokenAccount, signature] = [text(44), text(44), text(44), text(88)];
  const [buyAmount, preTokenBalance] = [below(1e12) / 1e6, below(1e9)];
  const link = (kind, id) => `https://explorer.example/${kind}/${id}`;
  return JSON.stringify({
    result: {
      mint,
      wallet,
      buyAmount,
      preTokenBalance,
      postTokenBalance: below(1e12) / 1e6,
      signature,
      transactionResult: { success: true, signature, results: "ok" },
      tokenAccount,
    },
    explorer: {
      mint: link("token", mint),
      wallet: link("account", wallet),
      tx: link("tx", signature),
      tokenAccount: link("account", tokenAccount),
    },
    launchpad: { mint: `https://launchpad.example/coin/${mint}` },
  });
}

// Decoded from bytes, so that each text is one piece, like one from the wire.
const bytes = Array.from({ length: 256 }, () => new TextEncoder().encode(reply()));
const decoder = new TextDecoder();
const texts = bytes.map((each) => decoder.decode(each));

const each = (given, read) => {
  let at = 0;
  return { run: () => read(given[at++ & 255]), answer: () => given.slice(0, 16).map((reply) => read(reply).result) };
};

export async function ours() {
  const { readReply } = await import("launchpad-desk");
  return each(texts, (reply) => readReply("buy", 200, reply));
}

export async function oursOfBytes() {
  const { readReply } = await import("launchpad-desk");
  return each(bytes, (reply) => readReply("buy", 200, reply));
}

export const parse = () => each(texts, (reply) => JSON.parse(reply));
export const parseBytes = () => each(bytes, (reply) => JSON.parse(decoder.decode(reply)));

export async function jsonBigint() {
  const { default: json } = await import("json-bigint");
  return each(texts, (reply) => json.parse(reply));
}

export async function zod() {
  const { z } = await import("zod");
  const amount = z.union([z.number().nonnegative(), z.string()]);
  const links = z.object({ mint: z.string(), wallet: z.string(), tx: z.string(), tokenAccount: z.string().optional() });
  const transactionResult = z.object({ success: z.boolean(), signature: z.string(), results: z.unknown() });
  const result = z.object({
    mint: z.string(),
    wallet: z.string(),
    buyAmount: amount,
    preTokenBalance: amount,
    postTokenBalance: amount,
    signature: z.string().nullable(),
    transactionResult,
    tokenAccount: z.string(),
  });
  const schema = z.object({ result, explorer: links, launchpad: z.object({ mint: z.string() }) });
  return each(texts, (reply) => schema.parse(JSON.parse(reply)));
}
