// What axe finds wrong in a page, or in a part of a panel in both themes.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const text = (id, { html, any, all, none }) =>
  `${id}: ${html.slice(0, 160)} (${[...any, ...all, ...none].map(({ message }) => message).join("; ")})`;

/** Each violation in a page, with the element it is about; `include` says where to look. */
export async function violationsOf(page, include) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (include) => globalThis.axe.run(include ? { include } : document),
    include,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => text(id, node)));
}

/** Each violation in a part of a panel in both themes. */
export async function violations(panel, part = ".below") {
  const found = [];
  for (const theme of ["light", "dark"]) {
    await panel.inside((root, theme) => root.host.setAttribute("theme", theme), theme);
    for (const violation of await violationsOf(panel.page, [{ fromShadowDom: ["launchpad-desk", part] }]))
      found.push(`${theme}: ${violation}`);
  }
  return found;
}
