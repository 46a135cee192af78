import type { CommandInput } from "./command.ts";

/**
 * Text that a server sent, for a terminal: without characters that move the cursor, change colors, or
 * turn the direction of what follows.
 */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

const colors = { red: 31, green: 32, yellow: 33, gray: 90 } as const;

/** The text in a color, where people read it. */
export function paint(
  { isInteractive, env }: Pick<CommandInput, "isInteractive" | "env">,
  color: keyof typeof colors,
  text: string,
): string {
  const isColored = isInteractive && env.NO_COLOR === undefined;
  return isColored ? `\u001b[${colors[color]}m${text}\u001b[39m` : text;
}

/** Whether the command was asked for JSON, or is read by a program. */
export function wantsJson({ isInteractive, values }: CommandInput): boolean {
  return values.json === true || !isInteractive;
}

/**
 * Rows as a table with a heading for people, and as JSON, one on each line, for programs.
 *
 * @param empty what people read if there are none
 */
export function writeRows<Row extends object>(
  input: CommandInput,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string>>,
  empty: string,
): void {
  const { output } = input;
  if (wantsJson(input)) {
    for (const row of rows) output.result(JSON.stringify(row));
    return;
  }
  if (rows.length === 0) {
    output.note(empty);
    return;
  }
  const names = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((show) => plain(show(row))));
  for (const line of alignCells([names.map((name) => name.toUpperCase()), ...cells]))
    output.result(line);
}

function alignCells(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** One thing: as JSON for programs, and as lines of name and value for people. */
export function writeFields(
  input: CommandInput,
  value: object,
  lines: readonly (readonly [name: string, text: string])[],
): void {
  if (wantsJson(input)) {
    input.output.result(JSON.stringify(value));
    return;
  }
  const width = Math.max(...lines.map(([name]) => name.length));
  for (const [name, text] of lines)
    input.output.result(`${name.padEnd(width)}  ${plain(text)}`.trimEnd());
}
