/**
 * Adds UTC to the text of a browser's time field (`2026-11-21T08:00`), which has no zone. Other
 * texts stay unchanged.
 */
export function asUtc(time: string): string {
  return /T\d{2}:\d{2}(:\d{2})?$/.test(time) ? `${time}Z` : time;
}
