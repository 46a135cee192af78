/** Writes "1 run", "2 runs", or "more than 10,000 runs". */
export function describeCount(
  { count, isMore = false }: { readonly count: number; readonly isMore?: boolean },
  one: string,
  many = `${one}s`,
): string {
  const digits = count.toLocaleString("en");
  return `${isMore ? "more than " : ""}${digits} ${count === 1 ? one : many}`;
}
