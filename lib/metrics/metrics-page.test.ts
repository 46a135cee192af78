import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { definitionOf, type MetricName, metricCatalog } from "./catalog.ts";

test("docs/metrics.md has the table of all metrics", async () => {
  const path = new URL("../../docs/metrics.md", import.meta.url);
  const text = readFileSync(path, "utf8");
  const table = /(?<=<!-- metrics -->\n).*?(?=<!-- end of metrics -->)/s;
  expect(text).toMatch(table);
  const rows = (Object.keys(metricCatalog) as MetricName[]).map((name) => {
    const { type, labels = [], help } = definitionOf(name);
    return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |\n`;
  });
  const written = text.replace(
    table,
    () => `| metric | type | labels | what it counts |\n|---|---|---|---|\n${rows.join("")}`,
  );
  await expect(written).toMatchFileSnapshot(path.pathname);
});
