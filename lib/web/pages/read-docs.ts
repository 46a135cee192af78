import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { renderMarkdown } from "#lib/web/views/render-markdown.ts";

/** The pages of `docs/` that are served, by name in the URL. */
export const docsPages: Readonly<Record<string, string>> = {
  actions: "Actions with steps",
  api: "REST API",
  architecture: "Architecture",
  catching: "What a catch URL does",
  concepts: "Concepts",
  "custom-verification": "Custom verification",
  errors: "Errors",
  operations: "Operations",
  portal: "The portal",
  providers: "Providers",
  readme: "Documentation",
  receiving: "Receive your first webhook",
  sending: "Send webhooks to your customers",
  signatures: "When a signature is rejected",
  "verifying-events": "Verify an event",
  "why-it-did-not-run": "Why didn't it run?",
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
  const file = page === "readme" ? "README" : page;
  const text = await readFile(join(process.cwd(), "docs", `${file}.md`), "utf8");
  return { title, html: renderMarkdown(text, Object.keys(docsPages)) };
}
