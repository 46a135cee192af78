import { type DocsSource, readDocsSources } from "./read-docs.ts";

type DocsLink = { readonly href: string; readonly title: string };
type DocsGroup = { readonly title: string; readonly links: readonly DocsLink[] };

/**
 * The menu of the documentation: the sections of its index with the pages that each links to first,
 * and the pages of the API. A page stands once.
 */
export async function readDocsMenu(): Promise<readonly DocsGroup[]> {
  const sources = await readDocsSources();
  const index = sources.find(({ name }) => name === "readme");
  const api = sources.find(({ name }) => name === "api");
  if (index === undefined) return [];
  const seen = new Set<string>();
  const groups = index.text.split(/^## /m).map((part, at) => ({
    title: at === 0 ? "Start" : (part.split("\n", 1)[0] ?? "").trim(),
    links: listLinks(part, sources, seen),
  }));
  const calls = { title: "API reference", links: listLinks(api?.text ?? "", sources, seen) };
  const start = { href: index.href, title: "Overview" };
  return [...groups, calls]
    .map((group, at) => (at === 0 ? { ...group, links: [start, ...group.links] } : group))
    .filter(({ links }) => links.length > 0);
}

function listLinks(
  text: string,
  sources: readonly DocsSource[],
  seen: Set<string>,
): readonly DocsLink[] {
  const names = Array.from(text.matchAll(/\]\(([a-z/-]+)\.md(?:#[^)]*)?\)/g), ([, name]) => name);
  return names.flatMap((name = "") => {
    const source = sources.find((one) => one.name === name);
    if (source === undefined || seen.has(name)) return [];
    seen.add(name);
    return [{ href: source.href, title: source.title }];
  });
}
