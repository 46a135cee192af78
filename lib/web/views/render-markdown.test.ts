import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorTable, toProblem } from "#lib/errors.ts";
import { renderMarkdown } from "./render-markdown.ts";

test("the type of every problem leads to a heading of the errors page", () => {
  const html = renderMarkdown(readFileSync("docs/errors.md", "utf8"), ["errors"]);
  const ids = Array.from(html.matchAll(/<h2 id="([^"]+)"/g), ([, id]) => `/docs/errors#${id}`);
  const codes = Object.keys(errorTable) as (keyof typeof errorTable)[];
  expect(
    codes.map((code) => toProblem(code, "").type).filter((type) => !ids.includes(type)),
  ).toEqual([]);
});

test("links lead to served pages, or are text; HTML is escaped", () => {
  const html = renderMarkdown(
    "[a](api.md#hooks) [b](decisions/001.md) [c](https://x.test/?a=1&b=2) [d](javascript:alert(1)) <b onclick=x>e</b>\n\n## Twice\n\n## Twice",
    ["api"],
  );
  expect(html).toContain(
    '<a href="/docs/api#hooks">a</a> b <a href="https://x.test/?a=1&amp;b=2">c</a> d ',
  );
  expect(html).not.toMatch(/<b |javascript:/);
  expect(html).toContain('id="twice"');
  expect(html).toContain('id="twice-1"');
});
