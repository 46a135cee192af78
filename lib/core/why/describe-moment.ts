/** Formats a time as "2026-11-23 10:42:05 UTC". */
export function describeMoment(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** Formats a duration as "3 minutes", in the largest unit that fits. */
export function describeSpan(ms: number): string {
  const [unit, size] = units.find(([, each]) => ms >= each) ?? (["second", 1_000] as const);
  const count = Math.max(1, Math.round(ms / size));
  return describeCount(count, unit);
}

export function describeCount(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}
