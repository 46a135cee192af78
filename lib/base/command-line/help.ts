import type { Command } from "./command.ts";

type AnyCommand = Command<unknown>;

/** The general text of the help of a program. */
export type Program = {
  /** How it is called, such as `npm run server --`. */
  readonly invocation: string;
  /** A sentence about all commands. */
  readonly about: string;
  readonly exitCodes: string;
};

/** The help for one command, or the list of all. Pure. */
export function formatHelp(
  program: Program,
  commands: readonly AnyCommand[],
  command: AnyCommand | null,
): string {
  return command === null ? formatList(program, commands) : formatCommand(program, command);
}

export function formatUsage(program: Program, command: AnyCommand | null): string {
  const { invocation } = program;
  if (command === null) return `Usage: ${invocation} COMMAND\nList of commands: ${invocation} help`;
  const help = `Help: ${invocation} help ${command.name}`;
  return `${usageLine(program, command)}\n${help}`;
}

function formatList(program: Program, commands: readonly AnyCommand[]): string {
  const { invocation, about, exitCodes } = program;
  const rows = commands.map((one) => [[one.name, ...one.operands].join(" "), one.summary] as const);
  return [
    `Usage: ${invocation} COMMAND`,
    "",
    about,
    "",
    ...alignRows(rows),
    "",
    `Options of a command: ${invocation} help COMMAND`,
    `Exit code: ${exitCodes}`,
  ].join("\n");
}

function formatCommand(program: Program, command: AnyCommand): string {
  const rows = Object.entries(command.options).map(
    ([name, { value, summary }]) => [withValue(name, value), summary] as const,
  );
  return [
    usageLine(program, command),
    "",
    command.details ?? `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...(rows.length === 0 ? [] : ["", ...alignRows(rows)]),
  ].join("\n");
}

function usageLine({ invocation }: Program, { name, operands, options }: AnyCommand): string {
  const flags = Object.entries(options).map(
    ([option, { value }]) => `[${withValue(option, value)}]`,
  );
  return ["Usage:", invocation, name, ...operands, ...flags].join(" ");
}

function withValue(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Two columns, the second one aligned. */
export function alignRows(rows: readonly (readonly [label: string, text: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`);
}
