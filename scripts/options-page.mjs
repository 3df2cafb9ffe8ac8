// The page of all options, docs/options.md: made from the comments above each option in the package's types, so that it is written once.
// tests/flow/options.test.mjs compares, and with UPDATE=1 writes it.

/** The sections of the page: heading, what stands below it, and the types that it lists. */
const SECTIONS = [
  [
    "## A client",
    "`new TradeClient({ … })`; a [profile](cli.md#profiles) of the command line takes them by the same names.",
    [],
  ],
  ["### Where it trades", "", ["ClientOptions"]],
  ["### Limits", "Checked before money may move: [guards](live.md#guards).", ["GuardOptions"]],
  [
    "### How a service writes",
    "Only for a service that differs from [what we assume](interface.md).",
    ["CheckOptions"],
  ],
  ["### Sending", "`client.withOptions({ … })` changes these.", ["SendOptions"]],
  ["## A call", "The second argument of `client.buy` and the others.", ["CallOptions"]],
  ["## A plan", "The third argument of [`client.plan`](live.md#plans).", ["PlanOptions"]],
  ["## A market", "`new Market({ … })` of [the chain](chain.md#a-market).", ["MarketOptions"]],
  [
    "### Watching",
    "The second argument of `market.watch`; `follow` is only a `Market`'s.",
    ["WatchOptions", "MarketWatchOptions"],
  ],
  [
    "## Exits",
    "The fourth argument of [`client.manage`](exits.md#across-a-restart); [the plan](exits.md#the-plan) has its own table.",
    ["ManageOptions"],
  ],
  ["## The transport on Node", "`nodeFetch({ … })`: [on Node](live.md#on-node).", ["NodeFetchOptions"]],
  [
    "## A sandbox",
    "`new Sandbox({ … })`; JSON for `--config`, for `sandbox` of a profile and of [a gateway](gateway.md#settings).",
    ["SandboxConfig"],
  ],
  ["### `tokens`", "", ["SandboxTokenConfig"]],
  ["### `wallets`", "", ["SandboxWalletConfig"]],
  ["### `market`", "[A market that lives](sandbox.md#a-market-that-lives).", ["MarketConfig"]],
  ["### `faults`", "[Faults by a script or by chance](sandbox.md#faults-by-a-script-or-by-chance).", ["FaultConfig"]],
  ["### A fault", "Of `script` and `oneOf`; each `RefusalCode` is in [codes](codes.md).", ["Fault"]],
  ["### `launchpad`", "[The rules](maths.md#the-rules), with the values of today.", ["LaunchpadConfig"]],
  ["### Served", "`serve(sandbox, { … })`: [over HTTP](sandbox.md#over-http).", ["ServeOptions"]],
];

export const TYPES = SECTIONS.flatMap(([, , types]) => types);

/** A client takes the options of all of these: one that two of them have stands in the first. */
const OF_CLIENT = ["ClientOptions", "GuardOptions", "CheckOptions", "SendOptions"];

/** The longest shape that stands in place of a type's name. */
const SHORT = 200;

/** A type that is no function's, in which short types stand as what they are, unless they have a table of their own. */
const spelled = (form, source) =>
  form.replace(/\b[A-Z]\w+(?![^]*=>)/g, (name) => {
    const [, shape] = new RegExp(`^export (?:type|interface) ${name} =?([^]*?);?\\n\\n`, "m").exec(source) ?? [];
    const text = shape
      ?.replace(/\/\*\*[^]*?\*\//g, "")
      .replace(/\s+/g, " ")
      .replace(/^ \| | $/g, "")
      .trim();
    return text && text.length <= SHORT && !TYPES.includes(name) ? spelled(text, source) : name;
  });

const cell = (text) => text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();

/** The options of an interface: name, type, default and meaning. */
function optionsOf(type, source) {
  const [, body] = new RegExp(`^export interface ${type}\\b[^{]*{\\n([^]*?)^}`, "m").exec(source) ?? [];
  if (!body) throw new Error(`there is no interface ${type}`);
  return [...body.matchAll(/^ {2}\/\*\*([^]*?)\*\/\n {2}(\w+)\??: ([^]*?);$/gm)].map(([, comment, name, form]) => {
    const text = comment
      .replace(/^ *\* ?/gm, "")
      .replace(/\{@link ([^}]+)\}/g, "`$1`")
      .replace(/\s+/g, " ")
      .trim();
    // A sentence ends where a space follows its dot.
    const [sentence = "", otherwise = ""] = /(?:^| )Default:? (.+?)\.(?= |$)/.exec(text) ?? [];
    return [name, cell(`\`${spelled(form, source)}\``), cell(otherwise), cell(text.replace(sentence, ""))];
  });
}

/** The page, from the text of the package's types. */
export function optionsPage(source) {
  const seen = new Set();
  const parts = SECTIONS.map(([heading, below, types]) => {
    const isOfClient = OF_CLIENT.includes(types[0]);
    const rows = types
      .flatMap((type) => optionsOf(type, source))
      .filter(([name]) => !isOfClient || (!seen.has(name) && seen.add(name)))
      .map(([name, ...cells]) => `| \`${name}\` | ${cells.join(" | ")} |`);
    const table = rows.length ? `| option | type | default | what it is |\n|---|---|---|---|\n${rows.join("\n")}` : "";
    return [heading, below, table].filter(Boolean).join("\n\n");
  });
  return `# Options

Every option, by what takes it. A name that no table has is refused. A name says its unit: \`…Ms\` is milliseconds, \`…Lamports\` lamports,
\`…Bps\` basis points (a hundredth of a percent), \`…Bytes\` bytes. Without a default, what is left out is not there.

Elsewhere: the [settings of a gateway](gateway.md#settings), the [attributes of the panel](panel.md#attributes-and-events), what
[a backtest](backtest.md#what-it-is-given) is given, and the [fields of requests](fields.md).

<!-- Made from the types of the package by tests/flow/options.test.mjs: UPDATE=1 writes it. -->

${parts.join("\n\n")}
`;
}
