import { describeCount } from "#components/ui/text/describe-count.ts";

/** One series of a plot: what it counts, its name, and its theme color. */
export type Series = {
  readonly key: string;
  readonly name: string;
  /** The name after a number, if it is a noun. */
  readonly plural?: string;
  readonly color: string;
};

/** One bar: its start, and a count per series. */
export type Point = { readonly startMs: number; readonly counts: Readonly<Record<string, number>> };

/** The count of a series in some bars. */
export function sumOf({ key }: Series, points: readonly Point[]): number {
  return points.reduce((sum, { counts }) => sum + (counts[key] ?? 0), 0);
}

/** "12 accepted" or "2 duplicates". */
export function describeSum({ name, plural }: Series, sum: number): string {
  return describeCount(sum, name.toLowerCase(), plural ?? name.toLowerCase());
}
