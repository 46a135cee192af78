import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { capitalize } from "#lib/base/capitalize.ts";
import type { Group, Setting } from "./setting.ts";
import { settingGroups } from "./settings.ts";

const { server, admin, spool, archive, mail, monitoring, traces, oidc, internal } = settingGroups;
const pages: readonly (readonly [page: string, groups: readonly Group[]])[] = [
  ["operations.md", [server, admin, spool, mail, monitoring]],
  ["archive.md", [archive]],
  ["metrics.md", [traces]],
  ["sign-in.md", [oidc]],
];
const locate = (path: string) => new URL(`../../../${path}`, import.meta.url).pathname;

test.each(pages)("docs/%s has the table of its settings", async (page, groups) => {
  const path = locate(`docs/${page}`);
  const text = readFileSync(path, "utf8");
  const table = /(?<=<!-- settings -->\n).*?(?=<!-- end of settings -->)/s;
  expect(text).toMatch(table);
  const rows = groups.flatMap(({ settings }) => Object.values(settings).map(writeRow));
  const written = text.replace(
    table,
    () => `| variable | default | meaning |\n|---|---|---|\n${rows.join("")}`,
  );
  await expect(written).toMatchFileSnapshot(path);
});

function writeRow(setting: Setting): string {
  const { name, unset, doc, isSecret } = setting;
  const given = defaultOf(setting);
  const shown = unset ?? (given === "" ? "none" : /^\d+$/.test(given) ? given : `\`${given}\``);
  const file = isSecret ? `. \`${name}_FILE\` reads it from a file` : "";
  return `| \`${name}\` | ${shown} | ${doc}${file} |\n`;
}

test(".env.example has every setting", async () => {
  const intro =
    "# Catchment reads these from the environment, and from a file .env beside package.json.";
  const groups = Object.values(settingGroups).map((group: Group) => {
    const rows = Object.values(group.settings).map((setting) => {
      const { name, unset, doc } = setting;
      const text = unset === undefined ? doc : `${doc}. Default: ${unset}`;
      const start = group === internal ? "# " : "";
      return `\n${writeComment(`${capitalize(text)}.`)}${start}${name}=${defaultOf(setting)}\n`;
    });
    return (group.about === undefined ? "" : `\n${writeComment(group.about)}`) + rows.join("");
  });
  await expect(intro + groups.join("")).toMatchFileSnapshot(locate(".env.example"));
});

function defaultOf({ value }: Setting): string {
  return String(value.parse(undefined) ?? "");
}

function writeComment(markdown: string): string {
  const text = markdown
    .replace(/See \[[^\]]*\]\(([^)#]*)[^)]*\)/g, "See docs/$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "");
  return text.replace(/(.{1,116})(?: |$)/g, "# $1\n");
}
