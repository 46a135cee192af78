import type { Command } from "../../../lib/base/command-line/command.ts";

export const shells = ["bash", "zsh", "fish"] as const;

type Commands = readonly Command<unknown>[];
type Entry = readonly [word: string, summary: string];
/** What may follow the words of a line so far, such as `actions get`. */
type Place = { readonly words: string; readonly entries: readonly Entry[] };

/** The script that completes `catchment` in a shell: commands, options, and values of options. Pure. */
export function formatCompletion(shell: (typeof shells)[number], commands: Commands): string {
  switch (shell) {
    case "bash":
      return formatBash(commands);
    case "zsh":
      return formatZsh(commands);
    case "fish":
      return formatFish(commands);
    default:
      return shell satisfies never;
  }
}

function formatBash(commands: Commands): string {
  const list = (entries: readonly Entry[]) => entries.map(([word]) => word).join(" ");
  const values = listValues(commands).map(([name, words]) => {
    const from = words === null ? "-f" : `-W "${words.join(" ")}"`;
    return `    --${name}) COMPREPLY=($(compgen ${from} -- "$2")); return ;;`;
  });
  const places = listPlaces(commands).map(
    ({ words, entries }) => `    "${words} "*) words="${list(entries)}" ;;`,
  );
  return `# catchment, for bash. To use it: source <(catchment completion bash)
_catchment() {
  local words=""
  case "$3" in
${values.join("\n")}
  esac
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${places.join("\n")}
    " ") words="${list(listFirst(commands))}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$2"))
}
complete -o default -F _catchment catchment`;
}

function formatZsh(commands: Commands): string {
  const list = (entries: readonly Entry[]) =>
    entries.map(([word, summary]) => quote(`${word}:${summary}`)).join(" ");
  const values = listValues(commands).map(([name, words]) => {
    const add = words === null ? "_files" : `compadd -- ${words.join(" ")}`;
    return `    --${name}) ${add}; return ;;`;
  });
  const places = listPlaces(commands).map(
    ({ words, entries }) => `    "${words} "*) entries=(${list(entries)}) ;;`,
  );
  // The first line loads it from a folder of $fpath, the last one from `source`.
  return `#compdef catchment
# catchment, for zsh. To use it: source <(catchment completion zsh)
_catchment() {
  local -a entries
  case "\${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "\${words[2,CURRENT-1]} " in
${places.join("\n")}
    " ") entries=(${list(listFirst(commands))}) ;;
  esac
  _describe catchment entries
}
if [ "$funcstack[1]" = _catchment ]; then _catchment "$@"; else compdef _catchment catchment; fi`;
}

function formatFish(commands: Commands): string {
  const line = "(commandline -opc | string join ' ')";
  const at = (test: string, rest: string) => `complete -c catchment -n ${quote(test)} ${rest}`;
  const add =
    (test: string) =>
    ([word, summary]: Entry) =>
      at(test, `-a ${word}${summary === "" ? "" : ` -d ${quote(summary)}`}`);
  const begins = (words: string) => `string match -q 'catchment ${words} *' ${line}' '`;
  return [
    "# catchment, for fish. To use it: catchment completion fish | source",
    "complete -c catchment -f",
    ...listFirst(commands).map(add(`test ${line} = catchment`)),
    ...listSecond(commands).flatMap(([first, entries]) =>
      entries.map(add(`test ${line} = 'catchment ${first}'`)),
    ),
    ...commands.flatMap(({ name, choices = [], options }) => [
      ...choices.map((word): Entry => [word, ""]).map(add(begins(name))),
      ...Object.entries(options).map(([option, { value, choices, summary }]) => {
        const takes = value === undefined ? "" : value === "PATH" ? " -r -F" : " -x";
        const words = choices === undefined ? "" : ` -a ${quote(choices.join(" "))}`;
        return at(begins(name), `-l ${option}${takes}${words} -d ${quote(summary)}`);
      }),
    ]),
  ].join("\n");
}

/** First words, each once, with the summary of their own command if they have one. */
function listFirst(commands: Commands): readonly Entry[] {
  const firsts = new Map<string, string>([["help", "list the commands, or show one"]]);
  for (const { name, summary } of commands) {
    const [first = "", second] = name.split(" ");
    if (second === undefined || !firsts.has(first)) firsts.set(first, summary);
  }
  return [...firsts];
}

function listSecond(commands: Commands): (readonly [first: string, seconds: readonly Entry[]])[] {
  const pairs = commands.flatMap(({ name, summary }) => {
    const [first = "", second] = name.split(" ");
    return second === undefined ? [] : [{ first, entry: [second, summary] as const }];
  });
  const byFirst = Map.groupBy(pairs, ({ first }) => first);
  return [...byFirst].map(([first, group]) => [first, group.map(({ entry }) => entry)] as const);
}

/** Longer ones first, because `actions get` also begins with `actions`. */
function listPlaces(commands: Commands): readonly Place[] {
  const seconds = new Map(listSecond(commands));
  const names = new Set([...commands.map(({ name }) => name), ...seconds.keys()]);
  const places = [...names].map((words): Place => {
    const { choices = [], options = {} } = commands.find(({ name }) => name === words) ?? {};
    const flags = Object.entries(options).map(
      ([name, { summary }]) => [`--${name}`, summary] as const,
    );
    const own = choices.map((word) => [word, ""] as const);
    return { words, entries: [...(seconds.get(words) ?? []), ...own, ...flags] };
  });
  return places.toSorted((one, other) => other.words.length - one.words.length);
}

/** Each option that takes a value, once. Null: a file. */
function listValues(
  commands: Commands,
): readonly (readonly [option: string, words: readonly string[] | null])[] {
  const values = new Map<string, readonly string[] | null>();
  for (const { options } of commands)
    for (const [name, { value, choices }] of Object.entries(options))
      if (value !== undefined) values.set(name, choices ?? (value === "PATH" ? null : []));
  return [...values];
}

/** A word in single quotes. `'\''` means the same in all three. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
