// The samples of docs/panel.md compile in each framework, with its own types and its own compiler.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { root } from "../../scripts/program.mjs";
import { compileIn, installAsStranger } from "../package/stranger.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
// In this folder, so that it finds the folder's packages.
const { folder } = await installAsStranger({ prefix: join(here, ".stranger-") });
const require = createRequire(import.meta.url);
const page = await readFile(join(root, "docs/panel.md"), "utf8");

/** The sample with that line above it. */
function sample(fence) {
  const [, code] =
    new RegExp(`^\`\`\`${fence}\\n([^]*?)^\`\`\``, "m").exec(page) ?? assert.fail(`no sample of ${fence}`);
  return code;
}

/** What the templates of Vite and Next.js ask of code, besides what is strict. */
const TEMPLATES = {
  ...{ verbatimModuleSyntax: true, moduleDetection: "force", isolatedModules: true, noUnusedLocals: true },
  ...{ noUnusedParameters: true, erasableSyntaxOnly: true, noUncheckedSideEffectImports: true },
};
const JSX = { react: { jsx: "react-jsx", ...TEMPLATES }, solid: { jsx: "preserve", jsxImportSource: "solid-js" } };

/** The frameworks' own declarations are not ours to check. */
const compile = (name, files, options) =>
  compileIn(join(folder, name), files, {
    ...{ skipLibCheck: true, target: "es2022", module: "esnext", moduleResolution: "bundler" },
    ...{ lib: ["es2022", "dom", "dom.iterable", "esnext.disposable"], ...options },
  });

/** The declarations of a framework know the element, and refuse what it does not have. */
const USES = {
  react: [
    '<launchpad-desk mode="paper" />',
    "<launchpad-desk ondesk-outcome={({ detail }) => detail.noSuchField} />",
    "<launchpad-desk tokens={5} />",
  ],
  solid: ['<launchpad-desk mode="paper" />', "<launchpad-desk on:desk-outcome={({ detail }) => detail.noSuchField} />"],
};

test("a page's own code knows the element and its events", async () => {
  const known =
    'import "launchpad-desk/panel";\nconst desk = document.querySelector("launchpad-desk");\nif (desk) desk.mode = "live";\n';
  const heard = 'document.body.addEventListener("desk-outcome", ({ detail }) => console.log(detail.status));\n';
  await compile("dom", { "page.ts": known + heard });
  for (const wrong of [
    'if (desk) desk.mode = "paper";',
    'document.body.addEventListener("desk-outcome", ({ detail }) => console.log(detail.noSuchField));',
  ]) {
    await assert.rejects(compile("dom-wrong", { "page.ts": known + wrong }), /TS\d+/, wrong);
  }
});

for (const [name, options] of Object.entries(JSX)) {
  test(`${name} compiles its sample, and refuses what the element does not have`, async () => {
    const files = { "desk.tsx": sample(`tsx ${name}`) };
    await compile(name, files, options);
    if (name === "react")
      await compile(
        "next",
        { "desk.tsx": `"use client";\n${files["desk.tsx"]}`, "page.tsx": sample("tsx next") },
        options,
      );
    for (const wrong of USES[name]) {
      await assert.rejects(
        compile(
          `${name}-wrong`,
          { ...files, "wrong.tsx": `import "./desk.js";\nexport const Wrong = () => ${wrong};` },
          options,
        ),
        /wrong\.tsx/,
        wrong,
      );
    }
  });
}

test("Vue compiles its sample, and has its types", async () => {
  const { parse, compileScript, compileTemplate } = require("vue/compiler-sfc");
  const { descriptor, errors } = parse(sample("vue"));
  assert.deepEqual(errors, []);
  compileScript(descriptor, { id: "desk" });
  const made = compileTemplate({
    source: descriptor.template.content,
    filename: "Desk.vue",
    id: "desk",
    compilerOptions: { isCustomElement: (tag) => tag === "launchpad-desk" },
  });
  assert.deepEqual(made.errors, []);
  assert.match(made.code, /"launchpad-desk", \{[^]*onDeskOutcome/);
  const use = (mode) =>
    `import type { GlobalComponents } from "vue";\nconst props: InstanceType<GlobalComponents["launchpad-desk"]>["$props"] = { mode: "${mode}" };\nconsole.log(props);`;
  await compile("vue", { "desk.ts": sample("ts vue"), "use.ts": use("live") });
  await assert.rejects(compile("vue-wrong", { "desk.ts": sample("ts vue"), "use.ts": use("paper") }), /use\.ts/);
});

test("Svelte compiles its sample, and has its types", async () => {
  const { compile: made } = await import("svelte/compiler");
  const { js, warnings } = made(sample("svelte"), { generate: "client" });
  assert.deepEqual(warnings, []);
  assert.match(js.code, /desk-outcome/);
  const use = (mode) =>
    `import type { SvelteHTMLElements } from "svelte/elements";\nconst props: SvelteHTMLElements["launchpad-desk"] = { mode: "${mode}", "ondesk-outcome": ({ detail }) => console.log(detail.status) };\nconsole.log(props);`;
  await compile("svelte", { "desk.ts": sample("ts svelte"), "use.ts": use("live") });
  await assert.rejects(compile("svelte-wrong", { "desk.ts": sample("ts svelte"), "use.ts": use("paper") }), /use\.ts/);
});
