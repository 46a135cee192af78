import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeCalls } from "./describe-calls.ts";
import { nouns } from "./routes.ts";

it.each(nouns)("the page of $name has the table of its calls", async ({ name, routes }) => {
  const page = name.toLowerCase().replaceAll(" ", "-");
  const path = new URL(`../../../docs/api/${page}.md`, import.meta.url);
  const text = readFileSync(path, "utf8");
  const table = /(?<=<!-- calls -->\n).*?(?=<!-- end of calls -->)/s;
  expect(text).toMatch(table);
  const written = text.replace(table, () => `${describeCalls(routes)}\n`);
  await expect(written).toMatchFileSnapshot(path.pathname);
});
