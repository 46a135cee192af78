/** One series of a chart: what it counts, its name, and its theme color. */
export type Series = {
  readonly key: string;
  readonly name: string;
  /** The name after a number, if it is a noun. */
  readonly plural?: string;
  readonly color: string;
};

/** One bar: its start, and a count per series. */
export type Point = { readonly startMs: number; readonly counts: Readonly<Record<string, number>> };
