/** One colour of a chart's bars: what is counted, its name, and a colour of the theme. */
export type Series = { readonly key: string; readonly name: string; readonly color: string };

/** One bar: from when on, and how many of each series. */
export type Point = { readonly startMs: number; readonly counts: Readonly<Record<string, number>> };
