import { parseArgs } from "node:util";
import { countEdits } from "#lib/base/count-edits.ts";
import type { Command, CommandInput } from "./command.ts";

type ParsedCommand =
  | ({ readonly kind: "run"; readonly command: Command } & Pick<
      CommandInput,
      "operands" | "values"
    >)
  /** Null: the list of all commands. */
  | { readonly kind: "help"; readonly command: Command | null }
  | { readonly kind: "wrong"; readonly message: string; readonly command: Command | null };

/** Pure. Options are strict: one that the command doesn't know is never ignored. */
export function parseCommand(commands: readonly Command[], args: readonly string[]): ParsedCommand {
  const [first, ...rest] = args;
  if (first === undefined) return wrong("Name a command.");
  if (first === "--help" || first === "-h") return { kind: "help", command: null };
  if (first === "help") return parseHelp(commands, rest);
  const found = findCommand(commands, args);
  if (found === null) return wrong(unknownCommand(commands, args));
  return parseOptions(found.command, found.rest);
}

function parseHelp(commands: readonly Command[], names: readonly string[]): ParsedCommand {
  if (names.length === 0) return { kind: "help", command: null };
  const command = commands.find(({ name }) => name === names.join(" "));
  if (command === undefined) return wrong(unknownCommand(commands, names));
  return { kind: "help", command };
}

function findCommand(
  commands: readonly Command[],
  args: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  for (const command of commands) {
    const words = command.name.split(" ");
    if (words.every((word, index) => args[index] === word))
      return { command, rest: args.slice(words.length) };
  }
  return null;
}

function unknownCommand(commands: readonly Command[], args: readonly string[]): string {
  const given = args.filter((arg) => !arg.startsWith("-")).join(" ");
  const [nearest] = commands
    .map(({ name }) => ({ name, distance: countEdits(name, given) }))
    .toSorted((one, other) => one.distance - other.distance);
  const meant =
    nearest !== undefined && nearest.distance <= 3 ? ` Did you mean ${nearest.name}?` : "";
  return `There is no command ${given || args[0]}.${meant}`;
}

function parseOptions(command: Command, args: readonly string[]): ParsedCommand {
  const options = {
    help: { type: "boolean" as const, short: "h" },
    ...Object.fromEntries(
      Object.entries(command.options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? ("boolean" as const) : ("string" as const) },
      ]),
    ),
  };
  const parsed = tryParse(options, args);
  if (typeof parsed === "string") return wrong(parsed, command);
  const { help, ...values } = parsed.values;
  if (help === true) return { kind: "help", command };
  const { positionals: operands } = parsed;
  if (operands.length !== command.operands.length)
    return wrong(describeOperands(command, operands), command);
  return { kind: "run", command, operands, values };
}

type Options = Readonly<Record<string, { readonly type: "boolean" | "string" }>>;
type Values = CommandInput["values"];

function tryParse(
  options: Options,
  args: readonly string[],
): { readonly values: Values; readonly positionals: readonly string[] } | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
    });
    return { values: values as Values, positionals };
  } catch (error) {
    // "Unknown option '--x'. To specify a positional argument …": only its first sentence helps.
    const [sentence = ""] = String(error instanceof Error ? error.message : error).split(". ");
    return `${sentence.replace(/\.$/, "")}.`;
  }
}

function describeOperands({ name, operands }: Command, given: readonly string[]): string {
  const missing = operands[given.length];
  if (missing !== undefined) return `${name} needs ${missing}.`;
  return `${name} doesn't take ${given.slice(operands.length).join(" ")}.`;
}

function wrong(message: string, command: Command | null = null): ParsedCommand {
  return { kind: "wrong", message, command };
}
