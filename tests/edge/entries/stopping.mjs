// The gateway with a disk that is slow on demand: what is recorded for a request with the header `x-until-halt` is on it once somebody has
// halted the desk.

import gateway, { Desk as Deployed } from "../../../edge/worker.js";

export class Desk extends Deployed {
  #waits = false;
  #goOn = () => {};

  constructor(ctx, env) {
    super(ctx, env);
    const { storage } = ctx;
    const sync = storage.sync.bind(storage);
    storage.sync = () => {
      if (!this.#waits) return sync();
      this.#waits = false;
      return new Promise((resolve) => (this.#goOn = resolve));
    };
  }

  async ask(desk, request) {
    if (request.headers.some(([name]) => name === "x-until-halt")) this.#waits = true;
    const answer = await super.ask(desk, request);
    if (request.path === "/desk/halt") this.#goOn();
    return answer;
  }
}

export default gateway;
