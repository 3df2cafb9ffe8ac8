// The gateway with a disk that fails on demand: the header `x-fail-write` gives the number of the write that fails.

import gateway, { Desk as Deployed } from "../../../edge/worker.js";

export class Desk extends Deployed {
  #left = 0;

  constructor(ctx, env) {
    super(ctx, env);
    const { storage } = ctx;
    const write = storage.transactionSync.bind(storage);
    storage.transactionSync = (work) =>
      write(() => {
        work();
        if (--this.#left === 0) throw new Error(`the disk is full, and ${env.API_KEY} is a key`);
      });
  }

  ask(desk, request) {
    const [, number] = request.headers.find(([name]) => name === "x-fail-write") ?? [];
    if (number) this.#left = Number(number);
    return super.ask(desk, request);
  }
}

export default gateway;
