import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../../docs/verifying-events.md", import.meta.url), "utf8");

it("the dashboard and the portal show the documented code: if not, run npm run generate", async () => {
  const sections = page.matchAll(/^## (.+)\n+```\w+\n([\s\S]+?)\n```/gm);
  const snippets = [...sections].map(([, title, code]) => ({ title, code }));
  expect(snippets).toHaveLength(7);
  await expect(`${JSON.stringify(snippets, null, 2)}\n`).toMatchFileSnapshot(
    "verification-snippets.json",
  );
});
