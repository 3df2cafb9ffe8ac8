// What once made Node 20 and 22 abort (V8: "unreachable code", exit 133), one kind each: V8 gave up a function that it had
// compiled while that function was inside a call of the module. `node program.mjs <entry> <simulator> <kind>` prints "held" at
// its end.

const [entry, simulator, kind] = process.argv.slice(2);
const { TradeClient } = await import(entry);
const { Sandbox } = await import(simulator);

const sandbox = new Sandbox();
const [{ mint }] = sandbox.tokens;
const [{ wallet: fromWallet }] = sandbox.wallets;
const client = (options) => new TradeClient({ fetch: sandbox.fetch, inFlightPerWallet: 1_000, ...options });

const kinds = {
  /** A getter of the package answers with an object of another shape than ever before. */
  async shapes() {
    const plain = client();
    const limited = client({ rateLimit: { perSecond: 5 } });
    const left = ({ guards }) => guards.burstLeft ?? 0;
    for (let call = 0; call < 10_000; call++) left(plain);
    for (let call = 0; call < 1_000; call++) left(limited);
  },

  /** A request's getter changes a prototype that compiled code relies on, while the module reads the request. */
  async prototypes() {
    const desk = client();
    const prototypes = [TradeClient, Promise, Object, Array, Function, Map, Error].map(({ prototype }) => prototype);
    let changes = 0;
    let armed = false;
    const request = {
      mint,
      fromWallet,
      get amountInLamports() {
        if (armed)
          for (const prototype of prototypes)
            Object.defineProperty(prototype, `change${changes}`, { value: changes++, configurable: true });
        armed = false;
        return -1;
      },
    };
    const refused = () => {};
    const send = () => desk.buy(request).catch(refused);
    for (let round = 0; round < 200; round++) {
      for (let call = 0; call < 100; call++) {
        armed = round >= 50 && round % 10 === 0 && call === 50;
        send();
      }
      await undefined;
    }
    if (changes === 0) throw new Error("nothing was changed");
  },

  /** Many trades at once, of every kind, bad ones and aborted ones among them: a quarter of a minute, and a minute for all Nodes. */
  async rounds() {
    const end = Date.now() + 15_000;
    for (let round = 0; round < 20 || Date.now() < end; round++) {
      const desk = client(round % 2 ? {} : { rateLimit: { perSecond: 1_000_000, burst: 1_000_000 } });
      const trades = Array.from({ length: 200 }, (_, index) => {
        const amountInLamports = 1_000_000 + index;
        if (index % 7 === 3) return desk.sell({ mint, fromWallet, amountInToken: "1" });
        if (index % 7 === 4) return desk.bundleBuy({ mint, buys: [{ fromWallet, amountInLamports }] });
        if (index % 7 === 5) return desk.buy({ mint, fromWallet, amountInLamports: -index });
        if (index % 7 === 6) return desk.buy({ mint, fromWallet, amountInLamports }, { signal: AbortSignal.abort() });
        return desk.buy({ mint, fromWallet, amountInLamports });
      });
      const ends = await Promise.allSettled(trades);
      if (ends.every(({ status }) => status === "rejected")) throw ends[0].reason;
      desk.free();
    }
  },
};

await kinds[kind]();
console.log("held");
