// Ours, and what a bot would otherwise use to check a request before writing it: nothing, schemas, or code by hand.

import { BAD, BAD_FIELDS, BODIES, OPERATIONS } from "./requests.mjs";

/** A side that does something with each request in turn. */
function each(requests, make) {
  let at = 0;
  return { run: () => make(requests[at++ % requests.length]), answer: () => requests.slice(0, 16).map(make) };
}

const written = (operation, check) => each(OPERATIONS[operation], (request) => JSON.stringify(check(request)));

export const ours = (operation) => async () => {
  const { TradeClient } = await import("launchpad-desk");
  const client = new TradeClient({ baseURL: "https://service.example", identifiers: "base58" });
  return each(OPERATIONS[operation], (request) => client.build(operation, request).body);
};

export const stringify = (operation) => () => written(operation, (request) => request);

export const zod = (operation) => async () => {
  const { bodies } = await import("./zod.mjs");
  return written(operation, (request) => bodies[operation].parse(request));
};

export const sury = (operation) => async () => {
  const { parse } = await import("./sury.mjs");
  return written(operation, (request) => parse(operation, request));
};

export const valibot = (operation) => async () => {
  const { parse } = await import("./valibot.mjs");
  return written(operation, (request) => parse(operation, request));
};

export const ajv = (operation) => async () => {
  const { bodies } = await import("./ajv.mjs");
  return written(operation, (request) => {
    if (!bodies[operation](request)) throw new TypeError(bodies[operation].errors[0].message);
    return request;
  });
};

export const byHand = (operation) => async () => {
  const { checks } = await import("./by-hand.mjs");
  return written(operation, (request) => checks[operation](request));
};

const OPTIONS = { identifiers: "base58" };

/** Whether each buy may be sent; beside it, what it is as JSON, which is what the peers without checks can tell. */
const isSendable = (check) => ({
  ...each(OPERATIONS.buy, check),
  answer: () => OPERATIONS.buy.slice(0, 16).map((request) => Boolean(check(request))),
});

export const oursIsValid = async () => {
  const { isValid } = await import("launchpad-desk");
  return isSendable((request) => isValid("buy", request, OPTIONS));
};

export const jsonIsValid = () => isSendable(JSON.stringify);

export const zodIsValid = async () => {
  const { bodies } = await import("./zod.mjs");
  return isSendable((request) => bodies.buy.safeParse(request).success);
};

/** The fields that are reported for a bad buy. */
const telling = (fields) => ({
  ...each(BAD, fields),
  answer: () => BAD.slice(0, 16).map((request) => [...fields(request)].sort()),
});

export const oursTells = async () => {
  const { validate } = await import("launchpad-desk");
  return telling((request) => validate("buy", request, OPTIONS).errors.map(({ field }) => field));
};

export const zodTells = async () => {
  const { bodies } = await import("./zod.mjs");
  return telling((request) => bodies.buy.safeParse(request).error.issues.map(({ path }) => path.join(".")));
};

export const valibotTells = async () => {
  const [{ safeParse }, { bodies }] = await Promise.all([import("valibot"), import("./valibot.mjs")]);
  return telling((request) =>
    safeParse(bodies.buy, request).issues.map(({ path }) => path.map(({ key }) => key).join(".")),
  );
};

/** A side that reports all errors of each request. */
const refused = (check) => ({ ...each(BAD, check), answer: () => BAD_FIELDS.length });

export const oursRefuses = async () => {
  const { validate } = await import("launchpad-desk");
  const errors = (request) => validate("buy", request, OPTIONS).errors;
  return { ...refused(errors), answer: () => errors(BAD[0]).length };
};

export const jsonRefused = () => refused(JSON.stringify);

/** Reads a bundle from JSON, as a gateway does. */
const reading = (read, body = (bundle) => bundle) => ({
  ...each(BODIES, read),
  answer: () => BODIES.slice(0, 4).map((text) => body(read(text))),
});

export const oursReads = async () => {
  const { readCall } = await import("launchpad-desk");
  return reading(
    (text) => readCall("bundleBuy", text, OPTIONS),
    (call) => JSON.parse(call.body),
  );
};

export const parse = () => reading(JSON.parse);

export const zodReads = async () => {
  const { bodies } = await import("./zod.mjs");
  return reading((text) => bodies.bundleBuy.parse(JSON.parse(text)));
};

export const ajvReads = async () => {
  const { bodies } = await import("./ajv.mjs");
  const read = (text) => {
    const bundle = JSON.parse(text);
    if (!bodies.bundleBuy(bundle)) throw new TypeError(bodies.bundleBuy.errors[0].message);
    return bundle;
  };
  return reading(read);
};
