import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { renderMarkdown } from "#lib/web/views/render-markdown.ts";

/** The pages of `docs/` that are served, by name in the URL. */
export const docsPages: Readonly<Record<string, string>> = {
  actions: "Actions with steps",
  api: "REST API",
  architecture: "Architecture",
  catching: "What a catch URL does",
  errors: "Errors",
  operations: "Operations",
  portal: "The portal",
  providers: "Providers",
  sending: "Send webhooks to your customers",
  signatures: "When a signature is rejected",
  "verifying-events": "Verify an event",
};

/**
 * A page as HTML; null if there is none. The file is part of the installation, so it matches this
 * version.
 */
export async function readDocs(
  page: string,
): Promise<{ readonly title: string; readonly html: string } | null> {
  const title = Object.hasOwn(docsPages, page) ? docsPages[page] : undefined;
  if (title === undefined) return null;
  const text = await readFile(join(process.cwd(), "docs", `${page}.md`), "utf8");
  return { title, html: renderMarkdown(text, Object.keys(docsPages)) };
}
