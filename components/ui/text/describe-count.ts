type Counted = number | { readonly count: number; readonly isMore?: boolean };

/** Writes "1 run", "2 runs", or "more than 10,000 runs". */
export function describeCount(counted: Counted, one: string, many = `${one}s`): string {
  const { count, isMore = false } = typeof counted === "number" ? { count: counted } : counted;
  const digits = count.toLocaleString("en");
  return `${isMore ? "more than " : ""}${digits} ${count === 1 ? one : many}`;
}
