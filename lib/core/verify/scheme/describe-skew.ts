/**
 * Formats seconds as "90 s", "47 min", "2 h 28 min", "3 days". A rejection and its diagnosis show
 * the same span, so both use this function.
 */
export function describeSkew(seconds: number): string {
  const whole = Math.round(Math.abs(seconds));
  if (whole < 120) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 120) return `${minutes} min`;
  if (whole < 172_800) return `${Math.floor(minutes / 60)} h${withRest(minutes % 60, "min")}`;
  const hours = Math.round(whole / 3600);
  if (whole < 14 * 86_400) return `${Math.floor(hours / 24)} days${withRest(hours % 24, "h")}`;
  if (whole < 730 * 86_400) return `${Math.round(whole / 86_400)} days`;
  return `${Math.round(whole / (365.25 * 86_400))} years`;
}

function withRest(count: number, unit: string): string {
  return count === 0 ? "" : ` ${count} ${unit}`;
}
