import { parseArgs } from "node:util";
import { countEdits } from "#lib/base/count-edits.ts";
import type { Arguments, Command } from "./command.ts";

type AnyCommand = Command<unknown>;

type ParsedCommand<One extends AnyCommand> =
  | ({ readonly kind: "run"; readonly command: One } & Arguments)
  /** Null: the list of all commands. */
  | { readonly kind: "help"; readonly command: One | null }
  | { readonly kind: "wrong"; readonly message: string; readonly command: One | null };

/** Pure. Options are strict: one that the command doesn't know is never ignored. */
export function parseCommand<One extends AnyCommand>(
  commands: readonly One[],
  args: readonly string[],
): ParsedCommand<One> {
  const [first, ...rest] = args;
  if (first === undefined) return wrong("Name a command.");
  if (first === "--help" || first === "-h") return { kind: "help", command: null };
  if (first === "help") return parseHelp(commands, rest);
  const found = findCommand(commands, args);
  if (found === null) return wrong(unknownCommand(commands, args));
  return parseOptions(found.command, found.rest);
}

function parseHelp<One extends AnyCommand>(
  commands: readonly One[],
  names: readonly string[],
): ParsedCommand<One> {
  if (names.length === 0) return { kind: "help", command: null };
  const command = commands.find(({ name }) => name === names.join(" "));
  if (command === undefined) return wrong(unknownCommand(commands, names));
  return { kind: "help", command };
}

function findCommand<One extends AnyCommand>(
  commands: readonly One[],
  args: readonly string[],
): { readonly command: One; readonly rest: readonly string[] } | null {
  // Longer names first: `actions get` before `actions`.
  for (const command of commands.toSorted((one, other) => other.name.length - one.name.length)) {
    const words = command.name.split(" ");
    if (words.every((word, index) => args[index] === word))
      return { command, rest: args.slice(words.length) };
  }
  return null;
}

function unknownCommand(commands: readonly AnyCommand[], args: readonly string[]): string {
  const given = args.filter((arg) => !arg.startsWith("-")).join(" ");
  const longer = commands.filter(({ name }) => name.startsWith(`${given} `));
  if (longer.length > 0)
    return `${given} needs another word: ${longer.map(({ name }) => name).join(", ")}.`;
  const [nearest] = commands
    .map(({ name }) => ({ name, distance: countEdits(name, given) }))
    .toSorted((one, other) => one.distance - other.distance);
  const meant =
    nearest !== undefined && nearest.distance <= 3 ? ` Did you mean ${nearest.name}?` : "";
  return `There is no command ${given || args[0]}.${meant}`;
}

function parseOptions<One extends AnyCommand>(
  command: One,
  args: readonly string[],
): ParsedCommand<One> {
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
  const problem = describeOperands(command, operands) ?? describeValues(command, values);
  if (problem !== null) return wrong(problem, command);
  return { kind: "run", command, operands, values };
}

type Options = Readonly<Record<string, { readonly type: "boolean" | "string" }>>;
type Values = Arguments["values"];

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

/** Null: each is one of its choices. */
function describeValues({ options }: AnyCommand, values: Values): string | null {
  for (const [name, { choices }] of Object.entries(options)) {
    const value = values[name];
    if (choices !== undefined && typeof value === "string" && !choices.includes(value))
      return `--${name} is ${choices.join(", ")}, not ${value}.`;
  }
  return null;
}

/** Null: as many were given as the command takes. */
function describeOperands(
  { name, operands, choices }: AnyCommand,
  given: readonly string[],
): string | null {
  const required = operands.filter((operand) => !operand.startsWith("["));
  const missing = required[given.length];
  if (missing !== undefined) return `${name} needs ${missing}.`;
  const [first] = given;
  if (choices !== undefined && first !== undefined && !choices.includes(first))
    return `${name} takes ${choices.join(", ")}, not ${first}.`;
  const takesMore = operands.some((operand) => operand.endsWith("…]"));
  if (takesMore || given.length <= operands.length) return null;
  return `${name} doesn't take ${given.slice(operands.length).join(" ")}.`;
}

function wrong<One extends AnyCommand>(
  message: string,
  command: One | null = null,
): ParsedCommand<One> {
  return { kind: "wrong", message, command };
}
