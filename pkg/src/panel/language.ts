// The panel in another language: each of its sentences is looked up by its English text in a table of the page.

let table: Readonly<Record<string, unknown>> = {};

/** From now on sentences are those of this table, and in English where it has none. */
export const speak = (words: typeof table | undefined): void => void (table = words ?? {});

const places = (text: string): string => String(text.match(/\{\d\}/g)?.sort());

/** The sentence of this English text. A translation without one of its parts is not used: an amount may be missing. */
function said(english: string): string {
  const found = table[english];
  return typeof found === "string" && places(found) === places(english) ? found.trim() : english;
}

/** A sentence with parts, which are `{0}`, `{1}`, … in the table: say`Sell ${amount} of ${symbol}`. */
export const say = (texts: readonly string[], ...parts: readonly (string | number | undefined)[]): string =>
  said(texts.reduce((all, text, at) => `${all}{${at - 1}}${text}`)).replace(/\{(\d)\}/g, (_, at) => String(parts[at]));

/** The same sentences, each looked up when it is read. */
export const spoken = <T extends object>(sentences: T): T =>
  new Proxy(sentences, {
    get: (all, name) => {
      const one: unknown = Reflect.get(all, name);
      return typeof one === "string" ? said(one) : typeof one === "object" && one ? spoken(one) : one;
    },
  });

/** A sentence within another begins small, in English: other languages have their own rules. */
export const within = (text: string): string =>
  Object.keys(table).length ? text : `${text[0]?.toLowerCase()}${text.slice(1)}`;
