// `completion`: the tree of commands, for shells and for programs.

import { Argument, type Command } from "commander";
import { EXIT_CODES, withExample } from "./command.js";
import { OUTPUT, PLAN_OUTPUT, WATCH_OUTPUT, outputOf } from "./show.js";

interface Node {
  name: string;
  summary: string;
  arguments: { name: string; required: boolean; description: string; choices?: readonly string[] }[];
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
    ...(argument.argChoices && { choices: argument.argChoices }),
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
  let taken = 0;
  for (const word of before.reverse()) {
    const inner = command.commands.find((one) => one.name() === word);
    taken = inner ? 0 : taken + 1;
    command = inner ?? command;
  }
  const names = command.commands.filter((inner) => !isHidden(inner)).map((inner) => inner.name());
  names.push(...(command.registeredArguments[taken]?.argChoices ?? []));
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

export function addTree(program: Command): void {
  const completion = program
    .command("completion")
    .summary("print a script that completes commands in a shell, or the tree of commands as JSON")
    .addArgument(
      new Argument("<form>", "a shell; json: every command, option, exit code and output").choices([
        ...Object.keys(SCRIPTS),
        "json",
      ]),
    );
  withExample(completion, "completion bash >> ~/.bashrc").action((form: string) => {
    const tree = (): string =>
      JSON.stringify({
        ...treeOf(program),
        exitCodes: EXIT_CODES,
        output: OUTPUT,
        plan: PLAN_OUTPUT,
        watch: WATCH_OUTPUT,
      });
    process.stdout.write(SCRIPTS[form] ?? `${tree()}\n`);
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
