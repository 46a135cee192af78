import type { Command } from "./command.ts";

const invocation = "npm run catchment --";

/** The help for one command, or the list of all. Pure. */
export function formatHelp(commands: readonly Command[], command: Command | null): string {
  return command === null ? formatList(commands) : formatCommand(command);
}

export function formatUsage(command: Command | null): string {
  if (command === null) return `Usage: ${invocation} COMMAND\nList of commands: ${invocation} help`;
  const help = `Help: ${invocation} help ${command.name}`;
  return `${usageLine(command)}\n${help}`;
}

function formatList(commands: readonly Command[]): string {
  const rows = commands.map((one) => [[one.name, ...one.operands].join(" "), one.summary] as const);
  return [
    `Usage: ${invocation} COMMAND`,
    "",
    "Commands for the operator of the machine. They read the environment and .env as npm start does.",
    "",
    ...alignRows(rows),
    "",
    `Options of a command: ${invocation} help COMMAND`,
    "Exit code: 0 done, 1 failed or found a problem, 2 called wrongly",
  ].join("\n");
}

function formatCommand(command: Command): string {
  const rows = Object.entries(command.options).map(
    ([name, { value, summary }]) => [withValue(name, value), summary] as const,
  );
  return [
    usageLine(command),
    "",
    command.details ?? `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...(rows.length === 0 ? [] : ["", ...alignRows(rows)]),
  ].join("\n");
}

function usageLine({ name, operands, options }: Command): string {
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
