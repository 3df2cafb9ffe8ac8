// A node's JSON-RPC over the executed program: its accounts now, and every transaction since the node began. What it says is final at once.

const SLOT_MS = 400;
const FIRST_SLOT = 1_000;

export class Node {
  #program;
  #now;
  #begunMs;
  #transactions = [];

  /** `now` is the clock that slots pass by. */
  constructor(program, now) {
    [this.#program, this.#now, this.#begunMs] = [program, now, now()];
    program.heard = (transaction) => {
      const slot = this.#slot();
      this.#transactions.push({ ...transaction, slot, blockTime: this.#timeOf(slot) });
    };
  }

  #slot() {
    return FIRST_SLOT + Math.floor((this.#now() - this.#begunMs) / SLOT_MS);
  }

  #timeOf(slot) {
    return Math.floor((this.#begunMs + (slot - FIRST_SLOT) * SLOT_MS) / 1_000);
  }

  /** Answers a body: a call, or a batch. */
  rpc = async (body) => {
    const asked = JSON.parse(body);
    return JSON.stringify(Array.isArray(asked) ? asked.map((call) => this.#answer(call)) : this.#answer(asked));
  };

  #answer({ id, method, params }) {
    const [first] = params;
    const [slot, answered] = [this.#slot(), (result) => ({ jsonrpc: "2.0", id, result })];
    switch (method) {
      case "getSlot":
      case "getBlockHeight":
        return answered(slot);
      case "getFirstAvailableBlock":
        return answered(0);
      case "getBlockTime":
        return answered(this.#timeOf(first));
      case "getBlock":
        return answered({ blockHeight: first, blockTime: this.#timeOf(first) });
      case "getMultipleAccounts":
        return answered({ context: { slot }, value: first.map((key) => this.#account(key)) });
      case "getSignaturesForAddress": {
        const own = this.#transactions.filter(({ transaction }) => transaction.message.accountKeys.includes(first));
        return answered(
          own
            .reverse()
            .map((one) => ({
              signature: one.transaction.signatures[0],
              slot: one.slot,
              err: one.meta.err,
              confirmationStatus: "finalized",
            })),
        );
      }
      case "getTransaction":
        return answered(this.#of(first) ?? null);
      case "getSignatureStatuses":
        return answered({ value: first.map((signature) => this.#status(signature)) });
      default:
        return { jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } };
    }
  }

  #of(signature) {
    return this.#transactions.find(({ transaction }) => transaction.signatures[0] === signature);
  }

  #status(signature) {
    const one = this.#of(signature);
    return one ? { slot: one.slot, err: one.meta.err, confirmationStatus: "finalized" } : null;
  }

  #account(key) {
    const account = this.#program.account(key);
    if (!account) return null;
    const { owner, lamports, data } = account;
    return {
      owner,
      lamports: Number(lamports),
      data: [data.toString("base64"), "base64"],
      executable: false,
      space: data.length,
    };
  }
}
