import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatHelp } from "../../lib/base/command-line/help.ts";
import { commands } from "./commands.ts";
import { program } from "./program.ts";

test("docs/api/command-line.md has the table of all commands", async () => {
  const path = new URL("../../docs/api/command-line.md", import.meta.url);
  const text = readFileSync(path, "utf8");
  const table = /(?<=<!-- commands -->\n).*?(?=<!-- end of commands -->)/s;
  expect(text).toMatch(table);
  const rows = commands.map(({ name, operands, summary, options }) => {
    const flags = Object.entries(options).map(([option, { value }]) =>
      value === undefined ? `\`--${option}\`` : `\`--${option} ${value}\``,
    );
    return `| \`${[name, ...operands].join(" ")}\` | ${summary} | ${flags.join(" ")} |\n`;
  });
  const written = text.replace(
    table,
    () => `| command | what it does | options |\n|---|---|---|\n${rows.join("")}`,
  );
  await expect(written).toMatchFileSnapshot(path.pathname);
});

test("a terminal of 120 columns shows the help without breaking lines", () => {
  for (const command of [null, ...commands])
    for (const line of formatHelp(program, commands, command).split("\n"))
      if (!line.startsWith("Usage:")) expect(line.length, line).toBeLessThanOrEqual(120);
});
