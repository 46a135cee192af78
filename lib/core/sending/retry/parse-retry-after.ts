/**
 * The wait in milliseconds of a `Retry-After` value: seconds or an HTTP date (RFC 9110 §10.2.3). A
 * past date is 0. Null if there is none or it is invalid.
 *
 * @param nowMs Unix milliseconds
 */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER);
  const atMs = parseHttpDate(text);
  return atMs === null ? null : Math.max(0, atMs - nowMs);
}

/**
 * The three date formats of RFC 9110 §5.6.7. `Date.parse` alone would also accept `2026`, and would
 * parse `asctime` dates in local time.
 */
function parseHttpDate(text: string): number | null {
  const isWithZone = imfFixdate.test(text) || rfc850.test(text);
  if (!isWithZone && !asctime.test(text)) return null;
  const atMs = Date.parse(isWithZone ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? null : atMs;
}

const imfFixdate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850 = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;
