// The panel in another language: each of its sentences is looked up by its English text in a table of the page.

/** The translations in use, by their English text. Another language is another table. */
export let table: Record<string, string> = {};

/** From now on sentences are those of these words, and in English where they have none. */
export function speak(words: object | undefined): void {
  table = {};
  for (const [english, said] of Object.entries<unknown>({ ...words })) {
    const text = typeof said === "string" ? said.trim() : "";
    if (isTranslation(english, text)) table[english] = isolated(text);
  }
}

const places = (text: string): string => String(text.match(/\{\d\}/g)?.sort());
/** What within a number nobody sees, or takes for a part of it. */
const WITHIN = String.raw`[.,'’·_\u066b\u066c\uff0c\uff0e\p{DI}\p{M}\p{C}\u2000-\u200a\u202f\u205f\u2800]*`;
/** What would make another amount of a part: a digit or another part beside it, or an override of the direction. */
const MISLEADS = new RegExp(String.raw`\p{N}${WITHIN}\{|\}${WITHIN}[\p{N}{]|[\u202a-\u202e\u2066-\u2069]`, "u");

/** The panel is laid out from the left: a sentence from the right, and each part of it, keep to themselves. "17.2M" would fall apart. */
const isolated = (text: string): string =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/.test(text)
    ? `\u2067${text.replace(/\{\d\}/g, "\u2068$&\u2069")}\u2069`
    : text;

/** A blank one is none: the panel asks of a text whether there is one. One without a part may lack an amount. */
const isTranslation = (english: string, text: string): boolean =>
  text !== "" && places(text) === places(english) && !MISLEADS.test(text);

/** The sentence of this English text. */
const said = (english: string): string => table[english] ?? english;

/** A sentence with parts, which are `{0}`, `{1}`, … in the table: say`Sell ${amount} of ${symbol}`. */
export const say = (texts: readonly string[], ...parts: readonly (string | number | undefined)[]): string =>
  said(texts.reduce((all, text, at) => `${all}{${at - 1}}${text}`)).replace(/\{(\d)\}/g, (_, at) => String(parts[at]));

/** The same sentences, each looked up when it is read. */
export const spoken = <T extends object>(sentences: T): T =>
  new Proxy(sentences, {
    get: (all, name) => {
      // What others name, such as a service its reason, may be a name that every object has.
      const one: unknown = Object.hasOwn(all, name) || Array.isArray(all) ? Reflect.get(all, name) : undefined;
      if (typeof one === "string") return said(one);
      return typeof one === "object" && one ? spoken(one) : one;
    },
  });

/** A sentence within another starts with a lower-case letter in English; other languages have their own rules. */
export const within = (text: string): string =>
  Object.keys(table).length ? text : `${text[0]?.toLowerCase()}${text.slice(1)}`;
