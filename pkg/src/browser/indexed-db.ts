// A journal in the browser: a record for each intent that is unresolved or has landed, and a transaction for each change.
// Pages and workers of one origin share it if they open the same name.

import type { EndedTrade, Suspension, TradeIntent } from "launchpad-desk";
import { DAY_MS, REMEMBERED, SUMS_OF_DAYS } from "../generated.js";
import type { ClosableJournal } from "./journal.js";
import { Database, inTransaction, result } from "./promises.js";
import { type Mode, type OwnWord, SharedMode } from "./shared-mode.js";
import {
  type Ending,
  addSuspension,
  asked,
  askedFrom,
  countSuspension,
  dayOf,
  endedOf,
  endingOf,
  isCorrectedBy,
  meaningOf,
  namedAs,
  recordOf,
  refusal,
  saysAnything,
  spentBy,
  suspensionOf,
  withoutBreaker,
} from "./state.js";

const STORE = "intents";
/** What was spent on each day: { day, lamports }. */
const SUMS = "days";
/** What stops trading: one record, and with which word its mode was said, because the same mode said again is news. */
const SUSPENSION = "suspension";
const ONE = "all";
const WORD = "word";
/** Trades that did not land, and may have a transaction all the same. */
const ENDED = "ended";
const BY_BEGINNING = "by beginning";
/** Earlier versions, which no release had, are not read. */
const VERSION = 4;
/** Intents that are unresolved or have landed, by the time they began. */
const INDEX = "by fate";
const UNRESOLVED = 0;
const LANDED = 1;
/** How many may land in one page before old ones are removed. */
const BETWEEN_CLEARINGS = 1_000;

type Fate = typeof UNRESOLVED | typeof LANDED;
/** Without an end it is in flight, or its page was closed first. */
type Kept = TradeIntent & Partial<Ending> & { fate: Fate; hasEnd?: boolean };
type Sum = { day: number; lamports: bigint };

const modeOf = (word: string): Mode => word.split(" ")[0] as Mode;
const range = (fate: Fate, from = -Infinity): IDBKeyRange => IDBKeyRange.bound([fate, from], [fate, Infinity]);
/** How a landed trade ended. */
const landedAs = (kept: Kept): Ending => kept as Kept & Ending;
const intentsOf = (records: Kept[]): TradeIntent[] => records.map(recordOf);

async function openDatabase(name: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, VERSION);
  let isEarlier = false;
  opening.onupgradeneeded = ({ oldVersion }) => {
    const { result: database, transaction } = opening;
    isEarlier = oldVersion > 0;
    if (isEarlier) return transaction?.abort();
    database.createObjectStore(STORE, { keyPath: "intentId" }).createIndex(INDEX, ["fate", "startedAtMs"]);
    database.createObjectStore(ENDED, { autoIncrement: true }).createIndex(BY_BEGINNING, "startedAtMs");
    database.createObjectStore(SUSPENSION);
    database.createObjectStore(SUMS, { keyPath: "day" });
  };
  return result(opening).catch((error: unknown) => {
    throw isEarlier
      ? new Error(
          `the journal ${name} is of an earlier version and cannot be read: check its trades before you trade again`,
        )
      : error;
  });
}

/** Deletes all but the latest `kept` records, as long as `drop` says that a record may go. */
async function clear(
  source: IDBIndex | IDBObjectStore,
  range: IDBKeyRange | undefined,
  kept: number,
  drop: (record: unknown) => boolean = () => true,
): Promise<void> {
  const surplus = (await result(source.count(range))) - kept;
  if (surplus <= 0) return;
  await new Promise<void>((resolve, reject) => {
    let left = surplus;
    const cursor = source.openCursor(range);
    cursor.onerror = () => reject(cursor.error);
    cursor.onsuccess = () => {
      // There are at least as many as were counted, because only this transaction changes them.
      const at = cursor.result as IDBCursorWithValue;
      if (!drop(at.value)) return resolve();
      at.delete();
      if (--left) at.continue();
      else resolve();
    };
  });
}

/**
 * Makes a journal in the browser's IndexedDB database `name` (default `launchpad-desk`). It survives the page, a crash and, if the
 * browser honours the durability `strict`, a power cut. Works in pages and in workers.
 *
 * Pages of one origin that use the same name see each other's intents. An intent in flight in one page is unresolved for a page that
 * opens at that time. Browsers may clear a site's storage, unless `navigator.storage.persist()` was granted.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { indexedDBJournal } from "launchpad-desk/browser";
 *
 * const client = new TradeClient({ baseURL: "https://desk.example", journal: indexedDBJournal() });
 * ```
 */
export function indexedDBJournal(name = "launchpad-desk"): ClosableJournal {
  const database = new Database(() => openDatabase(name));
  let landedHere = 0;
  /** What this page knows of the mode, which other pages set, too; and the latest word that it has seen. */
  let shared: SharedMode | undefined;
  let latest: string | undefined;
  /** Runs `work` over all stores in one transaction; resolves to its result once that is complete. */
  const change = async <T>(
    work: (
      intents: IDBObjectStore,
      sums: IDBObjectStore,
      suspension: IDBObjectStore,
      ended: IDBObjectStore,
    ) => Promise<T>,
  ): Promise<T> => inTransaction(database, [STORE, SUMS, SUSPENSION, ENDED], work);

  async function add(intents: IDBObjectStore, suspension: IDBObjectStore, change: Suspension): Promise<void> {
    if (!saysAnything(change)) return;
    await result(
      suspension.put(addSuspension((await result<Suspension | undefined>(suspension.get(ONE))) ?? {}, change), ONE),
    );
    if (change.breakerOpen !== false) return;
    // A person has checked: unresolved trades no longer count as unknown.
    for (const kept of await result<Kept[]>(intents.index(INDEX).getAll(range(UNRESOLVED))))
      await result(intents.put({ ...kept, hasEnd: true }));
  }

  /** Reads what stops trading, and takes note of the mode that pages have said. */
  async function stopsNow(
    suspension: IDBObjectStore,
  ): Promise<{ kept: Suspension | undefined; shared: SharedMode; word: string | undefined }> {
    const [kept, word] = await Promise.all([
      result<Suspension | undefined>(suspension.get(ONE)),
      result<string | undefined>(suspension.get(WORD)),
    ]);
    shared ??= new SharedMode(modeOf, word, kept?.mode ?? "active");
    shared.see((latest = word));
    return { kept, shared, word };
  }

  /** The latest trade with this id that ended without landing and that this end corrects, which is taken out. */
  async function ofEnded(
    ended: IDBObjectStore,
    intentId: string,
    ending: Ending,
  ): Promise<{ end: Ending; intent: TradeIntent } | undefined> {
    return new Promise((resolve, reject) => {
      const cursor = ended.openCursor(null, "prev");
      cursor.onerror = () => reject(cursor.error);
      cursor.onsuccess = () => {
        const at = cursor.result;
        const trade = at?.value as EndedTrade | undefined;
        if (!at || !trade) return resolve(undefined);
        if (trade.intentId !== intentId || !isCorrectedBy(trade, ending)) return at.continue();
        at.delete();
        resolve({ end: trade, intent: recordOf(trade) });
      };
    });
  }

  const clearUp = () =>
    change(async (intents, sums, _suspension, ended) => {
      const pending = await result<Kept[]>(intents.index(INDEX).getAll(range(UNRESOLVED)));
      await clear(
        intents.index(INDEX),
        range(LANDED),
        REMEMBERED,
        (record) => (ended.add(endedOf(recordOf(record as Kept), landedAs(record as Kept))), true),
      );
      // The latest are kept, and all that a trade of the last day, or an unresolved one, may ask for.
      const fromMs = askedFrom(Date.now() - DAY_MS, pending);
      await clear(
        ended.index(BY_BEGINNING),
        undefined,
        REMEMBERED,
        (record) => (record as EndedTrade).startedAtMs < fromMs,
      );
      await clear(sums, undefined, SUMS_OF_DAYS);
    });

  const find = async (fate: Fate, sinceMs?: number): Promise<TradeIntent[]> =>
    intentsOf(
      await database.run([STORE], "readonly", (transaction) =>
        result<Kept[]>(transaction.objectStore(STORE).index(INDEX).getAll(range(fate, sinceMs))),
      ),
    );

  return {
    async begin(intent) {
      const record = recordOf(intent);
      await change(async (intents, _sums, suspension) => {
        await stopsNow(suspension);
        const known = await result<Kept | undefined>(intents.get(record.intentId));
        if (known) throw refusal(record.intentId, known.fate === LANDED);
        await result(intents.add({ ...record, fate: UNRESOLVED }));
      });
    },

    async settle({ intentId }, ending, said = {}) {
      const [meaning, stopped] = [meaningOf(ending.outcome), suspensionOf(said)];
      const hasLanded = await change(async (intents, sums, suspension, endedTrades) => {
        await add(intents, suspension, stopped);
        let known = await result<Kept | undefined>(intents.get(intentId));
        let taken = 0n;
        if (known?.fate !== UNRESOLVED) {
          // An end that nothing proved is replaced by one that is proven to be otherwise.
          const kept = known
            ? { end: landedAs(known), intent: recordOf(known) }
            : await ofEnded(endedTrades, intentId, ending);
          if (!kept || !isCorrectedBy(kept.end, ending)) return false;
          taken = spentBy(kept.intent, kept.end.outcome);
          known ??= { ...kept.intent, fate: UNRESOLVED };
        }
        if (meaning === "unresolved") {
          await result(intents.put({ ...namedAs(known, ending), hasEnd: true }));
          return false;
        }
        if (meaning === "landed") {
          await result(intents.put({ ...known, ...endingOf(ending), fate: LANDED }));
        } else {
          const ended = endedOf(recordOf(known), ending);
          if (ended) await result(endedTrades.add(ended));
          await result(intents.delete(intentId));
        }
        const kept = await result<Suspension | undefined>(suspension.get(ONE));
        const unresolved = await result<Kept[]>(intents.index(INDEX).getAll(range(UNRESOLVED)));
        if (kept && !unresolved.some(({ hasEnd }) => hasEnd)) await result(suspension.put(withoutBreaker(kept), ONE));
        const [day, spent] = [dayOf(known.startedAtMs), spentBy(known, ending.outcome) - taken];
        const lamports = ((await result<Sum | undefined>(sums.get(day)))?.lamports ?? 0n) + spent;
        if (spent) await result(sums.put({ day, lamports }));
        return meaning === "landed";
      });
      // The intent is settled even if the clean-up fails. The next page to open the journal cleans up again.
      if (hasLanded && ++landedHere % BETWEEN_CLEARINGS === 0) await clearUp().catch(() => {});
    },

    async keepSuspension(said) {
      const stopped = suspensionOf(said);
      const { mode } = stopped;
      const say = (known: SharedMode): OwnWord | undefined =>
        mode && known.say(mode, `${mode} ${Date.now()} ${Math.random()}`, latest);
      // It comes after what this page has heard by now.
      let own = shared && say(shared);
      try {
        await change(async (intents, _sums, suspension) => {
          const { shared: known, word } = await stopsNow(suspension);
          own ??= say(known);
          if (own) {
            known.check(own, word);
            await result(suspension.put(own.text, WORD));
          }
          await add(intents, suspension, stopped);
        });
        if (!own) return;
        latest = own.text;
        shared?.wrote(own);
      } catch (error) {
        if (own) shared?.failed(own);
        throw error;
      }
    },

    outsideMode: () => shared?.hear(latest),

    pending: () => find(UNRESOLVED),

    landed: (sinceMs) => find(LANDED, sinceMs),

    async recall(sinceMs) {
      // A client asks for this first, so this is a good time to clean up.
      await clearUp();
      const stores = [STORE, SUMS, SUSPENSION, ENDED];
      const [pending, landed, days, { kept }, inFull, ended] = await database.run(stores, "readonly", (transaction) => {
        const [intents, sums, suspension, others] = stores.map((name) => transaction.objectStore(name)) as [
          IDBObjectStore,
          IDBObjectStore,
          IDBObjectStore,
          IDBObjectStore,
        ];
        return Promise.all([
          result<Kept[]>(intents.index(INDEX).getAll(range(UNRESOLVED))),
          result(intents.index(INDEX).getAllKeys(range(LANDED))),
          result<Sum[]>(sums.getAll(IDBKeyRange.lowerBound(dayOf(sinceMs)))),
          stopsNow(suspension),
          result<Kept[]>(intents.index(INDEX).getAll(range(LANDED))),
          result<EndedTrade[]>(others.getAll()),
        ]);
      });
      const landedTrades = inFull.map((kept) => endedOf(recordOf(kept), landedAs(kept)) as EndedTrade);
      return {
        ended: asked([...landedTrades, ...ended], sinceMs, pending),
        pending: intentsOf(pending),
        landed: landed as string[],
        lamports: days.reduce((sum, { lamports }) => sum + lamports, 0n),
        suspension: countSuspension(kept ?? {}, pending.filter(({ hasEnd }) => !hasEnd).length),
      };
    },

    close: () => database.close(),
  };
}
