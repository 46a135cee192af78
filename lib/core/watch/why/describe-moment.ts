/** Formats a time as "2026-11-23 10:42:05 UTC". */
export function describeMoment(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

export function describeCount(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}
