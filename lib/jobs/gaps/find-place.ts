import type { LeasedGap, PageEnd } from "#lib/db/gaps/work-gaps.ts";

/** Spans overlap by this: clocks differ, and a list may have an event late. */
export const overlapMs = 3_600_000;

type Pauses = { readonly pauseMs: number; readonly settleMs: number };

/**
 * Where a search goes on after a page. If its end was a moment ago, the last hour of it is read a
 * second time, because the newest events may not have been listed yet.
 *
 * @param next the cursor of the next page. Null: there is none
 */
export function findPlace(
  { toMs, isSecondLook }: Pick<LeasedGap, "toMs" | "isSecondLook">,
  next: string | null,
  { pauseMs, settleMs }: Pauses,
  nowMs = Date.now(),
): PageEnd {
  if (next !== null) return { cursor: next, isSecondLook, isAtEnd: false, restMs: pauseMs };
  if (isSecondLook || nowMs - toMs > overlapMs)
    return { cursor: null, isSecondLook, isAtEnd: true, restMs: 0 };
  const waitMs = Math.min(settleMs, Math.max(0, toMs + settleMs - nowMs));
  const restMs = Math.max(pauseMs, waitMs);
  return { cursor: null, isSecondLook: true, isAtEnd: false, restMs };
}
