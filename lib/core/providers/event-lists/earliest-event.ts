import type { EventList } from "./event-list.ts";

const dayMs = 86_400_000;

/** What is older is listed no more, or Catchment has forgotten that it arrived. */
export function earliestMs(
  { retentionDays }: Pick<EventList, "retentionDays">,
  /** Zero: forever. */
  keptDays: number,
  nowMs: number,
): number {
  const days = [retentionDays ?? 0, keptDays].filter((count) => count > 0);
  return days.length === 0 ? 0 : nowMs - Math.min(...days) * dayMs;
}
