import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type DocsHitView = {
  readonly href: string;
  readonly page: string;
  readonly heading: string;
  readonly excerpt: string;
};

type DocsResultsProps = {
  readonly text: string;
  readonly hits: readonly DocsHitView[];
  readonly isMore: boolean;
};

/** The sections of the documentation that contain a text. */
export function DocsResults({ text, hits, isMore }: DocsResultsProps) {
  return (
    <section aria-labelledby="results" className="grid max-w-3xl min-w-0 grid-cols-1 gap-6">
      <div className="grid gap-1">
        <h1 id="results" className="text-2xl font-semibold tracking-tight break-words">
          {text === "" ? "Search the docs" : `“${safeText(text)}”`}
        </h1>
        <p role="status" className="text-sm text-muted-foreground">
          {describeCount(text, hits.length, isMore)}
        </p>
      </div>
      <ul className="grid grid-cols-1 gap-5">
        {hits.map(({ href, page, heading, excerpt }) => (
          <li key={href} className="grid min-w-0 gap-0.5">
            <Link
              href={href}
              className="w-fit rounded-sm font-medium break-words underline-offset-4 hover:underline"
            >
              {heading}
            </Link>
            {heading !== page && <p className="text-xs text-muted-foreground">{page}</p>}
            <p className="text-sm break-words text-muted-foreground">{excerpt}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeCount(text: string, count: number, isMore: boolean): string {
  if (text === "") return "Type a word, a field, or an error code.";
  if (count === 0) return "No page has all of these words. Try fewer.";
  if (isMore) return `The best ${count} sections. Add a word to find fewer.`;
  return count === 1 ? "1 section" : `${count} sections`;
}
