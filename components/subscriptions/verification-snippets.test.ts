import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

function readSnippets(page: string) {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), "utf8");
  const sections = text.matchAll(/^## (.+)\n+```\w+\n([\s\S]+?)\n```/gm);
  return [...sections].map(([, title, code]) => ({ title, code }));
}

it("the dashboard and the portal show the documented code: if not, run npm run generate", async () => {
  const snippets = {
    standard: readSnippets("verifying-events"),
    timed: readSnippets("api/verifying-one-header"),
  };
  expect([snippets.standard.length, snippets.timed.length]).toEqual([7, 7]);
  await expect(`${JSON.stringify(snippets, null, 2)}\n`).toMatchFileSnapshot(
    "verification-snippets.json",
  );
});
