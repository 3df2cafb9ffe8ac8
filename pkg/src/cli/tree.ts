// `schema` and `completion`: the tree of commands, for programs and for shells.

import type { Command } from "commander";
import { EXIT_CODES, UsageError, withExample } from "./command.js";
import { OUTPUT, PLAN_OUTPUT, WATCH_OUTPUT, outputOf } from "./show.js";

interface Node {
  name: string;
  summary: string;
  arguments: { name: string; required: boolean; description: string }[];
  options: { flags: string; description: string }[];
  /** The fields of what it prints with `--json`, if it does. */
  output?: readonly string[];
  commands: Node[];
}

/** Commands that `--help` does not list, such as the one that shells call. */
const isHidden = (command: Command): boolean => command.name() === "complete";

const treeOf = (command: Command, words: readonly string[] = []): Node => ({
  name: command.name(),
  summary: command.summary(),
  arguments: command.registeredArguments.map((argument) => ({
    name: argument.name(),
    required: argument.required,
    description: argument.description,
  })),
  options: command.options.map(({ flags, description }) => ({ flags, description })),
  ...(outputOf(words) && { output: outputOf(words)! }),
  commands: command.commands
    .filter((inner) => !isHidden(inner))
    .map((inner) => treeOf(inner, [...words, inner.name()])),
});

/** What may come next after these words, the last of which is not finished. */
export function candidates(program: Command, words: readonly string[]): string[] {
  const [unfinished = "", ...before] = [...words].reverse();
  let command = program;
  for (const word of before.reverse()) command = command.commands.find((inner) => inner.name() === word) ?? command;
  const names = command.commands.filter((inner) => !isHidden(inner)).map((inner) => inner.name());
  const flags = command.options.map(({ long }) => long ?? "");
  return [...names, ...(unfinished.startsWith("-") ? [...flags, "--help"] : [])].filter((name) =>
    name.startsWith(unfinished),
  );
}

/** For each shell, what it evaluates so that Tab asks `launchpad-desk complete`. Where that has nothing to say, files are offered. */
const SCRIPTS: Record<string, string> = {
  bash: `_launchpad_desk() {
  local IFS=$'\\n'
  COMPREPLY=($(launchpad-desk complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}"))
}
complete -o default -F _launchpad_desk launchpad-desk
`,
  zsh: `#compdef launchpad-desk
_launchpad_desk() {
  local -a found
  found=("\${(@f)$(launchpad-desk complete -- "\${(@)words[2,CURRENT]}")}")
  [[ -n "$found" ]] && compadd -a found || _files
}
compdef _launchpad_desk launchpad-desk
`,
  fish: `complete -c launchpad-desk -a '(launchpad-desk complete -- (commandline -opc)[2..] (commandline -ct))'
`,
};

/** Adds the commands. */
export function addTree(program: Command): void {
  const schema = program
    .command("schema")
    .summary("print the tree of commands, exit codes and outputs")
    .option("--json", "print it as one JSON document, which is its only form");
  withExample(schema, "schema --json").action(
    () =>
      void process.stdout.write(
        `${JSON.stringify({ ...treeOf(program), exitCodes: EXIT_CODES, output: OUTPUT, plan: PLAN_OUTPUT, watch: WATCH_OUTPUT })}\n`,
      ),
  );

  const completion = program
    .command("completion")
    .summary("print a script that completes commands in a shell")
    .argument("<shell>", Object.keys(SCRIPTS).join(", "));
  withExample(completion, "completion bash >> ~/.bashrc").action((shell: string) => {
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined)
      throw new UsageError(`there is a script for ${Object.keys(SCRIPTS).join(", ")}, not for ${shell}`);
    process.stdout.write(script);
  });

  const complete = program.command("complete", { hidden: true }).argument("[words...]");
  complete.action(
    (words: string[]) =>
      void process.stdout.write(
        candidates(program, words)
          .map((word) => `${word}\n`)
          .join(""),
      ),
  );
}
