/** A heading with what is written below it, up to the next heading. */
export type DocsSection = {
  readonly id: string;
  readonly depth: number;
  readonly heading: string;
  /** Without markup, in one line. */
  readonly text: string;
};

/**
 * The sections of a page, in their order. It reads lines only: parsing all pages as Markdown took half
 * a second before the first search.
 */
export function readSections(markdown: string): readonly DocsSection[] {
  const toId = headingIds();
  const sections: { id: string; depth: number; heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    const isFence = line.startsWith("```");
    if (isFence) isCode = !isCode;
    const [, marks = "", title = ""] = /^(#{1,6}) (.+)$/.exec(line) ?? [];
    if (!isCode && marks !== "")
      sections.push({ id: toId(title), depth: marks.length, heading: toPlain(title), lines: [] });
    else if (!isFence && !/^<!--.*-->$/.test(line)) sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ lines, ...rest }) => ({ ...rest, text: toPlain(lines.join("\n")) }));
}

/** Drops the marks of links, code, emphasis, tables, and lists. */
function toPlain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\|[\s:|-]+\|$/gm, "")
    .replace(/^\|\s*|\s*\|$/gm, " ")
    .replace(/^\s*(?:-|\d+\.)\s+/gm, "")
    .replace(/(?<!\\)\s*\|\s*/g, " · ")
    .replaceAll("\\|", "|")
    .replace(/`|\*\*/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Makes the ids of a page's headings as GitHub does, in the order of the page. */
export function headingIds(): (title: string) => string {
  const counts = new Map<string, number>();
  return (title) => {
    const base = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/gu, "-");
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}
