import { expect, test } from "vitest";
import { formatHelp, formatUsage } from "#lib/base/command-line/help.ts";
import { parseCommand } from "#lib/base/command-line/parse-command.ts";
import { commands } from "../commands.ts";
import type { Command } from "./command.ts";
import { program } from "./run-command.ts";

const load = () => Promise.reject(new Error("Not run here"));
const backup: Command = {
  name: "backup",
  operands: ["FILE"],
  summary: "write a backup",
  options: {
    json: { summary: "print JSON" },
    "passphrase-file": { value: "PATH", summary: "the passphrase" },
    style: { value: "STYLE", choices: ["short", "long"], summary: "short or long" },
  },
  load,
};
const verify: Command = {
  name: "audit verify",
  operands: [],
  summary: "check the audit log",
  options: {},
  load,
};
const table = [backup, verify];
const parse = (...args: string[]) => parseCommand(table, args);

test("of two names that fit, the longer one is meant", () => {
  const both = [{ ...verify, name: "audit" }, verify];
  expect(parseCommand(both, ["audit", "verify"])).toMatchObject({ command: verify });
});

test("operands and options come in any order", () => {
  const expected = {
    kind: "run",
    command: backup,
    operands: ["a.tar"],
    values: { json: true, "passphrase-file": "p" },
  };
  expect(parse("backup", "a.tar", "--json", "--passphrase-file", "p")).toEqual(expected);
  expect(parse("backup", "--passphrase-file=p", "--json", "a.tar")).toEqual(expected);
  expect(parse("audit", "verify")).toMatchObject({ kind: "run", command: verify });
});

test.each([
  [[], "Name a command."],
  [["backups"], "There is no command backups. Did you mean backup?"],
  [["audit"], "audit needs another word: audit verify."],
  [["backup"], "backup needs FILE."],
  [["backup", "a", "b"], "backup doesn't take b."],
  [["backup", "a", "--jsn"], "Unknown option '--jsn'."],
  [["backup", "a", "--json=1"], "Option '--json' does not take an argument."],
  [["backup", "a", "--style", "x"], "--style is short, long, not x."],
  [["backup", "a", "--passphrase-file"], "Option '--passphrase-file <value>' argument missing."],
])("%j is called wrongly", (args, message) => {
  expect(parse(...args)).toMatchObject({ kind: "wrong", message });
});

test.each([[["help"]], [["--help"]], [["-h"]]])("%j lists every command", (args) => {
  expect(parse(...args)).toEqual({ kind: "help", command: null });
  const help = formatHelp(program, commands, null);
  for (const { name } of commands) expect(help).toContain(`  ${name} `);
  for (const { summary } of commands) expect(help).toContain(summary);
});

test("the help for a command has a line for each option", () => {
  for (const args of [
    ["help", "backup"],
    ["backup", "--help"],
    ["backup", "a", "-h"],
  ])
    expect(parse(...args)).toEqual({ kind: "help", command: backup });
  expect(formatHelp(program, table, backup)).toBe(
    [
      `Usage: ${program.invocation} backup FILE [--json] [--passphrase-file PATH] [--style STYLE]`,
      "",
      "Write a backup.",
      "",
      "  --json                  print JSON",
      "  --passphrase-file PATH  the passphrase",
      "  --style STYLE           short or long",
    ].join("\n"),
  );
  expect(formatUsage(program, backup)).toContain(`Help: ${program.invocation} help backup`);
});

test("a terminal of 120 columns shows the list without breaking lines", () => {
  for (const command of [null, ...commands])
    for (const line of formatHelp(program, commands, command).split("\n"))
      if (!line.startsWith("Usage:")) expect(line.length, line).toBeLessThanOrEqual(120);
});
