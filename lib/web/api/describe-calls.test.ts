import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeCalls, listCalls, pageOfNoun } from "./describe-calls.ts";
import { nouns } from "./routes.ts";

it.each(nouns)("the page of $name has the table of its calls", async ({ name, routes }) => {
  await expectTable(pageOfNoun(name), "calls", describeCalls(routes));
});

it("the page of the API lists all calls", async () => {
  await expectTable("api", "all calls", listCalls(nouns));
});

/** The table stands between two comments of the page. */
async function expectTable(page: string, mark: string, table: string): Promise<void> {
  const path = new URL(`../../../docs/${page}.md`, import.meta.url);
  const text = readFileSync(path, "utf8");
  const place = new RegExp(`(?<=<!-- ${mark} -->\n).*?(?=<!-- end of ${mark} -->)`, "s");
  expect(text).toMatch(place);
  await expect(text.replace(place, () => `${table}\n`)).toMatchFileSnapshot(path.pathname);
}
