import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DocsSection, readSections } from "./docs-sections.ts";
import { callMarks, renderMarkdown } from "./render-markdown.ts";

const folder = () => join(process.cwd(), "docs");

/** The page that `/docs` shows. */
const indexName = "readme";

/** The pages of `docs/` that are served, by their name in the URL, such as `api/hooks`. */
export async function listDocs(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const file of glob(["*.md", "{api,operations,tools}/*.md"], { cwd: folder() })) {
    names.push(file.replace(/\.md$/, "").toLowerCase());
  }
  return names;
}

export type DocsSource = {
  readonly name: string;
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly sections: readonly DocsSection[];
};

let sources: Promise<readonly DocsSource[]> | undefined;

/**
 * All pages. The files are part of the installation, so they match this version and are read once.
 */
export function readDocsSources(): Promise<readonly DocsSource[]> {
  sources ??= readAll().catch((error: unknown) => {
    sources = undefined;
    throw error;
  });
  return sources;
}

async function readAll(): Promise<readonly DocsSource[]> {
  return await Promise.all((await listDocs()).map(readSource));
}

async function readSource(name: string): Promise<DocsSource> {
  const file = name === indexName ? "README" : name;
  const text = await readFile(join(folder(), `${file}.md`), "utf8");
  const href = name === indexName ? "/docs" : `/docs/${name}`;
  const sections = readSections(text);
  return { name, href, title: sections[0]?.heading ?? name, text, sections };
}

/**
 * A page without the table of its calls, as HTML: what comes before it and after it. Pages without one
 * have everything before.
 */
export function splitAtCalls(html: string): { readonly before: string; readonly after: string } {
  const [before = "", , after = ""] = html.split(callMarks);
  return { before, after };
}

/** A page as HTML with its headings of the second level; null if there is none. */
export async function readDocs(page: string): Promise<{
  readonly title: string;
  readonly html: string;
  readonly headings: readonly DocsSection[];
} | null> {
  const all = await readDocsSources();
  const source = all.find(({ name }) => name === (page === "" ? indexName : page));
  if (source === undefined) return null;
  const { name, title, text, sections } = source;
  const html = renderMarkdown(text, { page: name, pages: all.map((one) => one.name) });
  return { title, html, headings: sections.filter(({ depth }) => depth === 2) };
}
