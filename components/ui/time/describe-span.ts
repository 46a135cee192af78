/** Writes a duration in its largest unit: "23 h", "45 min", "7 days". Days are rounded. */
export function describeSpan(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(minutes / 1_440)} days`;
}
