/**
 * A browser's field for a time writes `2026-11-21T08:00`, without a zone. In an address that is
 * UTC. Other texts stay as they are.
 */
export function asUtc(time: string): string {
  return /T\d{2}:\d{2}(:\d{2})?$/.test(time) ? `${time}Z` : time;
}
