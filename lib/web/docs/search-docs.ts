import type { DocsSection } from "./docs-sections.ts";
import { type DocsSource, readDocsSources } from "./read-docs.ts";

export type DocsHit = {
  readonly href: string;
  /** The page. */
  readonly page: string;
  /** The section. The page's title at its start. */
  readonly heading: string;
  /** The text around the first word that was found. */
  readonly excerpt: string;
};

/** The sections that have every word, the ones that are about it first. */
export async function searchDocs(text: string, limit: number): Promise<readonly DocsHit[]> {
  const words = toWords(text);
  if (words.length === 0) return [];
  const names = text.toLowerCase().split(/\s+/);
  // The table of calls knows every service. Pages of the dashboard that may search don't load it.
  const [sources, { readCallSections }] = await Promise.all([
    readDocsSources(),
    import("./calls/call-sections.ts"),
  ]);
  const found = sources.flatMap((source) => {
    const sections: readonly Section[] = [...source.sections, ...readCallSections(source.name)];
    return searchPage(source, sections, { words, names });
  });
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ hit }) => hit);
}

const maxWords = 12;

function toWords(text: string): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  // "retry" also finds "retries".
  return words.slice(0, maxWords).map((word) => word.replace(/(?<=.{4})(?:ies|y|s)$/, ""));
}

/** A call has the names of its fields. */
type Section = DocsSection & { readonly fields?: ReadonlySet<string> };

type Found = { readonly score: number; readonly hit: DocsHit };

function searchPage(
  source: DocsSource,
  sections: readonly Section[],
  { words, names }: { readonly words: readonly string[]; readonly names: readonly string[] },
): readonly Found[] {
  const title = source.title.toLowerCase();
  return sections.flatMap((section): readonly Found[] => {
    const heading = section.heading.toLowerCase();
    const body = section.text.toLowerCase();
    if (
      !words.every((word) => heading.includes(word) || title.includes(word) || body.includes(word))
    )
      return [];
    const named = names.filter((name) => section.fields?.has(name) === true).length;
    const score =
      words.reduce((sum, word) => sum + scoreWord(word, { heading, title, body }), 0) +
      named * fieldScore;
    // A page's whole start is a better place to begin than one of its parts.
    const href = section.depth === 1 ? source.href : `${source.href}#${section.id}`;
    return [
      {
        score: score / words.length - section.depth / 10,
        hit: {
          href,
          page: source.title,
          heading: section.heading,
          excerpt: toExcerpt(section.text, words),
        },
      },
    ];
  });
}

function scoreWord(
  word: string,
  { heading, title, body }: { heading: string; title: string; body: string },
): number {
  const inText = Math.min(body.split(word).length - 1, maxCounted) / 2;
  if (startsWord(heading, word)) return 4 + inText;
  if (heading.includes(word)) return 3 + inText;
  return title.includes(word) ? 2 + inText : inText;
}

/** The calls that have a field of the name are what one looks for, and not the words in it. */
const fieldScore = 3;

/** A section that names a word often is about it, up to a point. */
const maxCounted = 4;

function startsWord(text: string, word: string): boolean {
  return ` ${text}`.includes(` ${word}`);
}

const excerptChars = 160;

function toExcerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(0, Math.min(...words.map((word) => findWord(lower, word))));
  const from = at < excerptChars / 2 ? 0 : text.indexOf(" ", at - excerptChars / 3) + 1;
  const cut = text.slice(from, from + excerptChars);
  return `${from > 0 ? "… " : ""}${cut}${from + excerptChars < text.length ? " …" : ""}`;
}

/** Words that stand only in the heading don't move the excerpt. */
function findWord(text: string, word: string): number {
  const at = text.indexOf(word);
  return at === -1 ? Number.MAX_SAFE_INTEGER : at;
}
