// What an agent reads about the package: `AGENTS.md`, `llms.txt`, a skill, and the catalog of tools and commands. Made from the package's
// own tables, so that no page says what the package does not do; tests/hosts/agent-pack.test.mjs compares and, with UPDATE=1, writes them.

/** The files of the pack, in the package's folder. `docs/tools.md` is one of its pages. */
export const AGENT_PACK = ["AGENTS.md", "llms.txt", ".agents/skills/launchpad-desk/SKILL.md"];

const table = (heading, rows) =>
  [heading, heading.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");

/** The table below a heading of a page. */
function tableOf(page, heading) {
  const [, found] = new RegExp(`^## ${heading}\\n[^]*?\\n(\\|[^]*?)\\n\\n`, "m").exec(page) ?? [];
  if (!found) throw new Error(`there is no table below ${heading}`);
  return found;
}

/** Every command that does something, with the words before it. */
const commandsOf = ({ commands }, before = "") =>
  commands
    .filter(({ name }) => name !== "help")
    .flatMap((command) => {
      const words = `${before}${command.name}`;
      return command.commands.length ? commandsOf(command, `${words} `) : [{ ...command, words }];
    });

/** The fields of the output of any command. */
const COMMON = ["command", "profile", "mode", "exitCode", "outcome", "next", "error"];

const NOTE = "<!-- Made from the package's tables by tests/hosts/agent-pack.test.mjs: UPDATE=1 writes it. -->";

/** What a tool does, without what every description begins and ends with. */
const ownWords = (description) =>
  description.replace(/^Simulated: no money moves\. /, "").replace(/ A value \{ untrustedText \}.*$/, "");

const RULES = `1. An outcome of \`unknown\` (exit code 4) means that the trade may have been made. Never send it again, not even as a new plan: settle it.
2. Look first: \`quote\` and \`plan\` send nothing. A plan shows the exact bytes, the price and the verdict of the limits. Send that plan, once.
3. Without \`--profile\`, a command uses the \`profile\` of the config file, which may be live; \`--profile sandbox\` simulates. Each result says its \`mode\`: \`simulated\` or \`live\`. Live is real money.
4. Amounts are exact. Pass them as text, in SOL, lamports, whole tokens or base units, as the name of the option says.
5. Do not approve for a person, raise a limit, or resume trading after a halt. If a limit refuses a trade, report it.
6. Never read, print or pass on an API key.`;

/** The files by path: from the output of `completion json`, the tools of the MCP server in a sandbox, docs/codes.md and docs/index.md. */
export function agentPack({ schema, tools, codes, index }) {
  const exits = table(["exit code", "meaning"], Object.entries(schema.exitCodes));
  const outcomes = tableOf(codes, "Outcomes");
  const toolRows = table(
    ["tool", "what it does"],
    tools.map(({ name, description }) => [`\`${name}\``, ownWords(description)]),
  );
  const fields = ({ properties = {}, required = [] }) =>
    Object.keys(properties)
      .map((name) => (required.includes(name) ? `\`${name}\`` : `\`${name}\` (optional)`))
      .join(", ") || "none";
  const commands = commandsOf(schema);
  const commandRows = table(
    ["command", "what it does"],
    commands.map(({ words, summary }) => [`\`${words}\``, summary]),
  );
  const pages = [...index.matchAll(/^\| \[([^\]]+)\]\(([^)#]+)\) \| (.+) \|$/gm)].map(
    ([, title, path, text]) => `- [${title}](docs/${path}): ${text}`,
  );

  const agents = `# launchpad-desk for agents

${NOTE}

Checks, prices, plans and sends trades of a token launchpad, in a sandbox on this machine unless a person has set up a live profile.

## Rules

${RULES}

## Outcomes

${outcomes}

## From a shell

\`npx launchpad-desk COMMAND --json\` prints one document. \`npx launchpad-desk completion json\` has every command, option and field of the output.

${commandRows}

${exits}

## By the Model Context Protocol

\`npx launchpad-desk mcp\` serves these tools, in the sandbox; a live desk takes a profile with limits, and \`--live\`. See docs/agents.md.

${toolRows}

## From a program

\`import { TradeClient } from "launchpad-desk"\`; types and examples are in the package. Error codes: docs/codes.md. Fields: docs/fields.md. Options: docs/options.md.
`;

  const skill = `---
name: launchpad-desk
description: Quote, plan, send and settle trades of a token launchpad with exact amounts, limits and honest outcomes, in a sandbox by default. Use it for buys, sells, bundles, exits, backtests, and to find out how a trade of unknown outcome ended.
---

${NOTE}

# Trading with launchpad-desk

## Rules

${RULES}

## Steps

1. \`npx launchpad-desk doctor --json\`: whether everything that a trade needs is there, and what to do if not.
2. \`npx launchpad-desk quote buy --sol 0.5 --json\`: what it would do now.
3. \`npx launchpad-desk plan buy --sol 0.5 --slippage 1 > plan.json\`: the plan. Show it to the person.
4. \`npx launchpad-desk send plan.json --yes --json\`: only after the person has agreed to this plan. It is sent once.
5. Read \`exitCode\`, \`outcome\` and \`next\` of the answer, and do what \`next\` says.
6. After exit code 4: \`npx launchpad-desk settle --json\`, until its exit code is no longer 4. After 5: a person decides at the gateway.

${exits}

All commands: AGENTS.md and docs/tools.md of the package. All codes: docs/codes.md.
`;

  const llms = `# launchpad-desk

> Checks, prices, plans, sends and settles trades of a token launchpad: an npm package and a Rust crate with one exact core, a command line, tools for agents, and a sandbox that needs no key and no network.

After an unknown outcome a trade is never sent again: it is settled. Everything is simulated unless the config file, a profile or a base URL says otherwise.

## Docs

${pages.join("\n")}

## For agents

- [Rules, commands and tools](AGENTS.md): what an agent needs to trade without harm
- [Codes](docs/codes.md): every outcome, error code and state
`;

  const option = ({ flags, description }) => `- \`${flags}\`: ${description}`;
  const argument = ({ name, required, description, choices = [] }) =>
    `- \`${required ? `<${name}>` : `[${name}]`}\`: ${description}${choices.length ? ` (${choices.join(", ")})` : ""}`;
  const list = (names) => names.map((name) => `\`${name}\``).join(", ");
  const printed = (words, output = []) => {
    const own = output.filter((name) => !COMMON.includes(name));
    return own.length && !/^(plan|watch)\b/.test(words) ? ` Prints ${list(own)}.` : "";
  };
  const catalog = `# Tools and commands

${NOTE}

Every tool of \`launchpad-desk mcp\` and every command of the command line. Error codes are in [codes.md](codes.md).

## Tools

${table(
  ["tool", "arguments", "what it does"],
  tools.map(({ name, description, inputSchema }) => [`\`${name}\``, fields(inputSchema), ownWords(description)]),
)}

## Exit codes

${exits}

## Output

Fields of the document that \`--json\` prints:

${table(
  ["field", "meaning"],
  Object.entries(schema.output).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

Each command below says which of them it prints, besides ${list(COMMON)}. An error in the arguments prints \`exitCode\`, \`outcome\` and \`error\`.

Fields of the plan that \`plan\` prints:

${table(
  ["field", "meaning"],
  Object.entries(schema.plan).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

Fields of each line of \`watch --json\`, besides \`command\`, \`profile\` and \`mode\`:

${table(
  ["field", "meaning"],
  Object.entries(schema.watch).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

## Commands
${commands.map(({ words, summary, arguments: taken, options, output }) => `\n### ${words}\n\n${summary[0].toUpperCase()}${summary.slice(1)}.${printed(words, output)}\n${taken.length + options.length ? `\n${[...taken.map(argument), ...options.map(option)].join("\n")}\n` : ""}`).join("")}`;

  return new Map([
    ["AGENTS.md", agents],
    ["llms.txt", llms],
    [".agents/skills/launchpad-desk/SKILL.md", skill],
    ["docs/tools.md", catalog],
  ]);
}
