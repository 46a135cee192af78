import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { renderMarkdown } from "#lib/web/docs/render-markdown.ts";

const folder = () => join(process.cwd(), "docs");

/** The pages of `docs/` that are served, by their name in the URL, such as `api/hooks`. */
export async function listDocs(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const file of glob(["*.md", "api/*.md"], { cwd: folder() })) {
    names.push(file.replace(/\.md$/, "").toLowerCase());
  }
  return names;
}

/**
 * A page as HTML; null if there is none. The file is part of the installation, so it matches this
 * version.
 */
export async function readDocs(
  page: string,
): Promise<{ readonly title: string; readonly html: string } | null> {
  const pages = await listDocs();
  if (!pages.includes(page)) return null;
  const file = page === "readme" ? "README" : page;
  const text = await readFile(join(folder(), `${file}.md`), "utf8");
  const title = /^# (?:\d+: )?(.+)$/m.exec(text)?.[1] ?? page;
  return { title, html: renderMarkdown(text, { page, pages }) };
}
