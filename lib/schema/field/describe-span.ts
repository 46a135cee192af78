/** Spans of time in words, by one rule: a span reads the same wherever it is shown. */

type Unit = { readonly seconds: number; readonly short: string; readonly long: string };

const second: Unit = { seconds: 1, short: "s", long: "second" };
const minute: Unit = { seconds: 60, short: "min", long: "minute" };
const hour: Unit = { seconds: 3_600, short: "h", long: "hour" };
const day: Unit = { seconds: 86_400, short: "days", long: "day" };

/** Seconds as "90 seconds", "1 minute", "47 minutes", "36 hours", or "5 days", rounded. */
export function describeSpan(seconds: number): string {
  const { count, unit } = measure(seconds);
  return `${count.toLocaleString("en")} ${unit.long}${count === 1 ? "" : "s"}`;
}

/** Seconds as "90 s", "1 min", "47 min", "36 h", or "5 days", rounded. */
export function shortSpan(seconds: number): string {
  const { count, unit } = measure(seconds);
  return `${count.toLocaleString("en")} ${unit.short}`;
}

/** In a unit of which there are two or more, or exactly one. Days begin at two. */
function measure(seconds: number): { readonly count: number; readonly unit: Unit } {
  const whole = Math.round(Math.abs(seconds));
  const unit =
    [day, hour, minute].find(
      (each) => whole >= 2 * each.seconds || (whole === each.seconds && each !== day),
    ) ?? second;
  return { count: Math.round(whole / unit.seconds), unit };
}
