import { type CommandInput, textValue } from "./command.ts";

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
  const isColored = isInteractive && !env.NO_COLOR && env.TERM !== "dumb";
  return isColored ? `\u001b[${colors[color]}m${text}\u001b[39m` : text;
}

/** How results are written: `table` for people, `compact` for `cut` and `awk`, `json` for programs. */
export const outputs = ["table", "compact", "json"] as const;

/** What the command was asked for, or else a table in a terminal, and JSON in a pipe. */
export function readOutput(input: CommandInput): (typeof outputs)[number] {
  const asked = textValue(input, "output");
  if (asked === undefined)
    return input.values.json === true || !input.isInteractive ? "json" : "table";
  return outputs.find((one) => one === asked) ?? "table";
}

export function wantsJson(input: CommandInput): boolean {
  return readOutput(input) === "json";
}

/**
 * Rows as a table with a heading, as lines with tabs, or as JSON, one on each line.
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
  const style = readOutput(input);
  if (style === "json") {
    for (const row of rows) output.result(JSON.stringify(row));
    return;
  }
  const cells = rows.map((row) => Object.values(columns).map((show) => plain(show(row))));
  if (style === "compact") {
    for (const line of cells) output.result(line.join("\t"));
    return;
  }
  if (rows.length === 0) {
    output.note(empty);
    return;
  }
  const heading = Object.keys(columns).map((name) => name.toUpperCase());
  for (const line of alignCells([heading, ...cells])) output.result(line);
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

/** One thing: lines of name and value for people, one line with tabs, or JSON. */
export function writeFields(
  input: CommandInput,
  value: object,
  lines: readonly (readonly [name: string, text: string])[],
): void {
  const { output } = input;
  const style = readOutput(input);
  if (style === "json") output.result(JSON.stringify(value));
  else if (style === "compact") output.result(lines.map(([, text]) => plain(text)).join("\t"));
  else {
    const width = Math.max(...lines.map(([name]) => name.length));
    for (const [name, text] of lines)
      output.result(`${name.padEnd(width)}  ${plain(text)}`.trimEnd());
  }
}
