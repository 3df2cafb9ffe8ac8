// What tests catch, and what they hand over that nobody should.

import assert from "node:assert/strict";

/** What a function throws; fails if it throws nothing. */
export function thrown(work, ...given) {
  try {
    work(...given);
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
}

export const throws = () => {
  throw new Error("no");
};

/** An object that throws at every look at it. */
export const hostile = () =>
  new Proxy(
    {},
    { get: throws, has: throws, ownKeys: throws, getPrototypeOf: throws, getOwnPropertyDescriptor: throws },
  );

export const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
