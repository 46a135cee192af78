/** Formats seconds as "47 min", "3 h", "2 days". */
export function describeSpan(seconds: number): string {
  const whole = Math.round(Math.abs(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.round(whole / 60)} min`;
  if (whole < 172_800) return `${Math.round(whole / 3600)} h`;
  if (whole < 730 * 86_400) return `${Math.round(whole / 86_400)} days`;
  return `${Math.round(whole / (365.25 * 86_400))} years`;
}
