// Every way in which JSON, URLs and HTML can spell a text.

/** A text with each of its characters written as `spell` says. */
export const spelled = (text, spell) =>
  [...text].map((character) => spell(character.charCodeAt().toString(16).padStart(2, "0"), character)).join("");
export const escaped = (text) => JSON.stringify(text).slice(1, -1);

/** How → the text, so written. */
export const spellings = (text) => ({
  "as JSON has it": escaped(text),
  "with its slashes escaped": escaped(text).replaceAll("/", "\\/"),
  "in escapes of JSON": spelled(text, (hex) => `\\u00${hex}`),
  "in escapes of JSON, in capitals": spelled(text, (hex) => `\\u00${hex.toUpperCase()}`),
  "as JSON in JSON": escaped(escaped(text)),
  "as JSON in JSON in JSON": escaped(escaped(escaped(text))),
  "in escapes of JSON in JSON": spelled(text, (hex) => `\\\\u00${hex}`),
  "percent-encoded": spelled(text, (hex) => `%${hex}`),
  "percent-encoded, in capitals": spelled(text, (hex) => `%${hex.toUpperCase()}`),
  "percent-encoded, in part": encodeURIComponent(text),
  "percent-encoded twice": encodeURIComponent(encodeURIComponent(text)),
  "in entities with names": escaped(text.replaceAll('"', "&quot;").replaceAll("/", "&sol;").replaceAll("\\", "&bsol;")),
  "in decimal entities": spelled(text, (_hex, character) => `&#${character.charCodeAt()};`),
  "in hexadecimal entities": spelled(text, (hex) => `&#x${hex};`),
  "in entities of entities": spelled(text, (hex) => `&amp;#X${hex};`),
  "in a mix": [...text]
    .map(
      (character, at) =>
        [
          `%${character.charCodeAt().toString(16)}`,
          `\\u00${character.charCodeAt().toString(16)}`,
          `&#${character.charCodeAt()};`,
          escaped(character),
        ][at % 4],
    )
    .join(""),
});

/** Whether a text holds another in any of these spellings, or as it is. */
export const holds = (text, secret) =>
  [secret, ...Object.values(spellings(secret))].some((spelling) => text.includes(spelling));
