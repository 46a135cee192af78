import { expect, test } from "vitest";
import { readSections } from "./docs-sections.ts";
import { searchDocs } from "./search-docs.ts";

test.each([
  ["rotate secret", "/docs/"],
  ["forgotten password", "/docs/operations#a-forgotten-password"],
  ["CATCHMENT_PUBLIC_URL", "/docs/operations"],
  ["concepts", "/docs/concepts"],
  ["retry", "/docs/api/retries"],
])("%s is found", async (text, href) => {
  const [first] = await searchDocs(text, 5);
  expect(first?.href.startsWith(href)).toBe(true);
});

test("a section needs every word, and a section about a word comes before one that mentions it", async () => {
  expect(await searchDocs("unicorn password", 5)).toEqual([]);
  expect(await searchDocs("  ", 5)).toEqual([]);
  const [first] = await searchDocs("filters", 5);
  expect(first).toMatchObject({ page: "Mapping and filters" });
});

test("the name of a field finds the calls that have it", async () => {
  const found = await searchDocs("eventTypes", 30);
  const calls = found.map(({ href }) => href.split("#")[1] ?? "");
  const named = ["createSubscription", "updateSubscription", "listProviders", "openListener"];
  expect(calls.slice(0, 20)).toEqual(expect.arrayContaining(named));
  const nested = await searchDocs("giveUpAfterSeconds", 30);
  expect(nested.map(({ href }) => href)).toContain("/docs/api/actions#createAction");
});

test("sections have the ids of their headings, and their text without markup", () => {
  const text =
    "# One `a`\n\n[Link](x.md) and **bold**.\n\n```sh\n# no heading\n```\n\n" +
    "## Twice\n\n| a | b |\n|---|---|\n| `c` | d |\n\n## Twice\n\n<!-- hidden -->\n";
  expect(readSections(text)).toEqual([
    { id: "one-a", depth: 1, heading: "One a", text: "Link and bold. # no heading" },
    { id: "twice", depth: 2, heading: "Twice", text: "a · b c · d" },
    { id: "twice-1", depth: 2, heading: "Twice", text: "" },
  ]);
});
