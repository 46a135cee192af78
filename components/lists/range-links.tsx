import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";

const ranges = [
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

export type Range = (typeof ranges)[number][0];

export const rangeWords: Readonly<Record<Range, string>> = {
  "24h": "the last 24 hours",
  "7d": "the last 7 days",
  "30d": "the last 30 days",
};

type RangeLinksProps = {
  readonly range: Range;
  /** The page, and its range if the URL has none. */
  readonly path?: string;
  readonly usual?: Range;
};

/** The time range of a page, in the URL. */
export function RangeLinks({ range, path = "/", usual = "24h" }: RangeLinksProps) {
  return (
    <nav aria-label="Range" className="flex rounded-md border bg-card p-0.5">
      {ranges.map(([id, words]) => (
        <Link
          key={id}
          href={id === usual ? path : `${path}?range=${id}`}
          scroll={false}
          // The palette offers it as a command, without the page around it.
          aria-label={`Show ${rangeWords[id]}`}
          aria-current={id === range ? "true" : undefined}
          className={classNames(
            "rounded px-2.5 py-1 text-sm font-medium tabular-nums",
            id === range ? "bg-muted" : "text-muted-foreground hover:text-foreground",
          )}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
