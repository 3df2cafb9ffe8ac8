// Ours, and what a bot would otherwise check a request with before it writes it: nothing, schemas, or code by hand.

import { BAD, OPERATIONS } from "./requests.mjs";

/** A side that makes something of each request in turn. */
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

export const oursRefuses = async () => {
  const { isValid } = await import("launchpad-desk");
  return each(BAD, (request) => isValid("buy", request, { identifiers: "base58" }));
};

const refused = async (told) => {
  const { checks } = await import("./by-hand.mjs");
  return each(BAD, (request) => {
    try {
      return checks.buy(request);
    } catch (error) {
      return told(error);
    }
  });
};

export const byHandRefuses = () => refused(() => false);

/** Which field is bad. */
export const oursTells = async () => {
  const { validate } = await import("launchpad-desk");
  return each(BAD, (request) => validate("buy", request, { identifiers: "base58" }).errors[0].field);
};

export const byHandTells = () => refused((error) => error.field);
