// What agents read about the package is what its own tables say. UPDATE=1 writes it.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import test, { after } from "node:test";
import { TradeClient } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";
import { AGENT_PACK, agentPack } from "../../scripts/agent-pack.mjs";
import { root } from "../../scripts/program.mjs";
import { installAsStranger } from "../package/stranger.mjs";
import { agentOver, overMemory } from "./agent.mjs";
import { commandLine, end } from "./command.mjs";

const { folder: cwd, installed } = await installAsStranger();

/** The tools of a desk in a sandbox. */
async function tools() {
  const sandbox = new Sandbox();
  const desk = { name: "sandbox", client: new TradeClient({ fetch: sandbox.fetch }), sandbox };
  const { client } = await agentOver(await overMemory(desk), { after });
  return (await client.listTools()).tools;
}

const text = (path) => readFile(join(root, path), "utf8");

async function made() {
  const { out } = await end(process.execPath, [commandLine(cwd), "completion", "json"], { cwd });
  return agentPack({
    schema: JSON.parse(out),
    tools: await tools(),
    codes: await text("docs/codes.md"),
    index: await text("docs/index.md"),
  });
}

test("the agent's pack is what the tables say", async () => {
  for (const [name, content] of await made()) {
    const path = AGENT_PACK.includes(name) ? `pkg/${name}` : name;
    if (process.env.UPDATE) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    assert.equal(await text(path), content, `${path}: UPDATE=1 node --test tests/hosts/agent-pack.test.mjs writes it`);
  }
});

test("it has every tool, command, exit code and page, and the package ships it", async () => {
  const pack = await made();
  for (const name of ["policy", "state", "quote", "plan", "execute", "status", "halt", "sandbox_fault"]) {
    for (const path of ["AGENTS.md", "docs/tools.md"])
      assert.ok(pack.get(path).includes(`| \`${name}\` |`), `${name} in ${path}`);
  }
  for (const words of ["buy", "bundle", "plan bundle", "exits run", "watch", "verify"])
    assert.ok(pack.get("docs/tools.md").includes(`\n### ${words}\n`), words);
  for (const code of [0, 1, 2, 3, 4, 5, 6, 64])
    for (const path of ["AGENTS.md", ".agents/skills/launchpad-desk/SKILL.md", "docs/tools.md"])
      assert.ok(pack.get(path).includes(`| ${code} | `), `${code} in ${path}`);
  assert.match(
    pack.get(".agents/skills/launchpad-desk/SKILL.md"),
    /^---\nname: launchpad-desk\ndescription: .{20,1024}\n---\n/,
  );
  const links = [...pack.get("llms.txt").matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
  assert.ok(links.length > 10, `${links}`);
  for (const path of [...links, ...AGENT_PACK, "docs/tools.md"]) await readFile(join(installed, path), "utf8");
});
