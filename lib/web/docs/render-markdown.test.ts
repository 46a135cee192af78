import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorTable, toProblem } from "#lib/base/errors.ts";
import { callsOfPage } from "#lib/web/docs/calls/api-document.ts";
import { readDocsMenu } from "#lib/web/docs/docs-menu.ts";
import { listDocs, readDocs } from "#lib/web/docs/read-docs.ts";
import { renderMarkdown } from "./render-markdown.ts";

test("the type of every problem leads to a heading of the errors page", () => {
  const html = renderMarkdown(readFileSync("docs/errors.md", "utf8"), {
    page: "errors",
    pages: ["errors"],
  });
  const ids = Array.from(html.matchAll(/<h2 id="([^"]+)"/g), ([, id]) => `/docs/errors#${id}`);
  const codes = Object.keys(errorTable) as (keyof typeof errorTable)[];
  expect(
    codes.map((code) => toProblem(code, "").type).filter((type) => !ids.includes(type)),
  ).toEqual([]);
});

test("links lead to served pages, or are text; HTML is escaped", () => {
  const html = renderMarkdown(
    "[a](api.md#hooks) [b](decisions/001.md) [c](https://x.test/?a=1&b=2) " +
      "[d](javascript:alert(1)) <b onclick=x>e</b>\n\n## Twice\n\n## Twice",
    { page: "concepts", pages: ["api"] },
  );
  expect(html).toContain(
    '<a href="/docs/api#hooks">a</a> b <a href="https://x.test/?a=1&amp;b=2">c</a> d ',
  );
  expect(html).not.toMatch(/<b |javascript:/);
  expect(html).toContain('id="twice"');
  expect(html).toContain('id="twice-1"');
});

test("every page of docs/ is served, and every link to one leads to a heading or a call", async () => {
  const names = await listDocs();
  // Decisions are for those who change Catchment.
  const files = globSync("docs/**/*.md", { exclude: ["docs/decisions/**"] }).map((path) =>
    path.slice(5, -3).toLowerCase(),
  );
  expect(names.toSorted()).toEqual(files.toSorted());

  const pages = await Promise.all(
    names.map(async (name) => ({ name, html: (await readDocs(name))?.html ?? "" })),
  );
  const targets = new Set(
    pages.flatMap(({ name, html }) => [
      `/docs/${name}`,
      ...Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => `/docs/${name}#${id}`),
      ...callsOfPage(name).map(({ operationId }) => `/docs/${name}#${operationId}`),
    ]),
  );
  const links = pages.flatMap(({ name, html }) =>
    Array.from(html.matchAll(/href="(\/docs\/|#)([^"]*)"/g), ([, start, rest]) =>
      start === "#" ? `/docs/${name}#${rest}` : `/docs/${rest}`,
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  const pathInCode = /"(\/docs\/(?!search")[a-z/-]+(?:#[a-z-]+)?)"/g;
  const ofPages = globSync("{app,components}/**/*.{ts,tsx}").flatMap((path) =>
    Array.from(readFileSync(path, "utf8").matchAll(pathInCode), ([, link = ""]) => link),
  );
  expect(ofPages.length).toBeGreaterThan(5);
  const wrong = [...links, ...ofPages].filter((link) => !targets.has(link));
  expect(wrong).toEqual([]);
});

test("the menu has every page once", async () => {
  const groups = await readDocsMenu();
  const links = groups.flatMap(({ links: of }) => of.map(({ href }) => href));
  const names = (await listDocs()).map((name) => (name === "readme" ? "/docs" : `/docs/${name}`));
  expect(links.toSorted()).toEqual(names.toSorted());
  expect(groups.map(({ title }) => title)).toContain("Quick starts");
});

test("headings lead to the ids of the page, and are those of the second level", async () => {
  const docs = await readDocs("errors");
  expect(docs?.headings.length).toBeGreaterThan(5);
  expect(docs?.headings.filter(({ id }) => !docs.html.includes(`<h2 id="${id}"`))).toEqual([]);
});

test("the index links to every page", async () => {
  const index = (await readDocs("readme"))?.html ?? "";
  const others = (await listDocs()).filter((name) => name !== "readme" && !name.startsWith("api/"));
  expect(others.filter((name) => !index.includes(`"/docs/${name}`))).toEqual([]);
});
