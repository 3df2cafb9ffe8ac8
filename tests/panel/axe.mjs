// What axe finds wrong in a part of a panel, in both themes.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each violation in both themes, with the element it is about. */
export async function violations({ page }, part = ".below") {
  await page.evaluate(axe);
  const found = [];
  for (const theme of ["light", "dark"]) {
    await page.evaluate((theme) => document.querySelector("launchpad-desk").setAttribute("theme", theme), theme);
    const { violations } = await page.evaluate((part) => globalThis.axe.run({ include: [{ fromShadowDom: ["launchpad-desk", part] }] }), part);
    for (const { id, nodes } of violations) for (const { html, any, all, none } of nodes) found.push(`${theme}: ${id}: ${html.slice(0, 160)} (${[...any, ...all, ...none].map(({ message }) => message).join("; ")})`);
  }
  return found;
}
