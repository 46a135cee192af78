/** Rounds down, so that 100% means all. */
export function describeRate(rate: number): string {
  return `${(Math.floor(rate * 1_000) / 10).toLocaleString("en")}%`;
}
