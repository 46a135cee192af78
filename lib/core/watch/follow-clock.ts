const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A clock may be off by so much without a word. */
export const clockWarnsBeyondMs = minuteMs;
/** Beyond it, ids and times would be in the wrong weeks, so nothing is caught. */
export const clockRefusesBeyondMs = hourMs;
/** A clock that has run for this time after a jump is right. */
const clockSettlesAfterMs = 7 * 24 * hourMs;

/** How far a clock has come. Times are Unix milliseconds. */
export type SeenClock = {
  /** The latest time that it showed. */
  readonly seenAtMs: number;
  /** After a jump ahead: the time without it. Null: there was none, or it is settled. */
  readonly trustedAtMs: number | null;
  /** How long it has run since the jump. */
  readonly unsettledMs: number;
};

export type ClockStep = {
  readonly seen: SeenClock;
  /**
   * `jumped`: it went ahead by over an hour since it was last seen, because everything was off, or it is
   * wrong now. `corrected`: such a jump was undone. `behind`: it shows a time long before one that
   * it has shown.
   */
  readonly event: "steady" | "jumped" | "corrected" | "behind";
  /** How far it is behind what it has shown. 0: it isn't. */
  readonly behindMs: number;
};

/**
 * Follows a clock from one look to the next, also over restarts. Where one machine has both, the
 * database's clock can't tell that the machine's is wrong, so both are compared with what they
 * showed before. A jump ahead may be a long time off, or a wrong clock: for a week of running, the
 * time without it is kept too. It bounds what retention removes, and the clock may go back to it.
 */
export function followClock(before: SeenClock | null, nowMs: number): ClockStep {
  if (before === null) return { seen: settledAt(nowMs), event: "steady", behindMs: 0 };
  const { seenAtMs, trustedAtMs, unsettledMs } = before;
  const stepMs = nowMs - seenAtMs;
  if (stepMs > hourMs) {
    const seen = { ...before, seenAtMs: nowMs, trustedAtMs: trustedAtMs ?? seenAtMs };
    return { seen, event: "jumped", behindMs: 0 };
  }
  if (stepMs >= 0) {
    const ranMs = unsettledMs + stepMs;
    const isSettled = trustedAtMs === null || ranMs >= clockSettlesAfterMs;
    const seen = isSettled
      ? settledAt(nowMs)
      : { seenAtMs: nowMs, trustedAtMs: trustedAtMs + stepMs, unsettledMs: ranMs };
    return { seen, event: "steady", behindMs: 0 };
  }
  if (trustedAtMs !== null && -stepMs > minuteMs && nowMs >= trustedAtMs - hourMs)
    return { seen: settledAt(Math.max(nowMs, trustedAtMs)), event: "corrected", behindMs: 0 };
  const event = -stepMs <= hourMs ? "steady" : "behind";
  return { seen: before, event, behindMs: -stepMs };
}

/** A clock that shows this time, and is right. */
export function settledAt(nowMs: number): SeenClock {
  return { seenAtMs: nowMs, trustedAtMs: null, unsettledMs: 0 };
}

/** `2 hours behind`. @param offMs negative: it is behind */
export function describeOffset(offMs: number): string {
  const [count, unit] = inUnits(Math.abs(offMs));
  return `${count} ${unit}${count === 1 ? "" : "s"} ${offMs < 0 ? "behind" : "ahead"}`;
}

function inUnits(ms: number): readonly [number, string] {
  if (ms < 2 * minuteMs) return [Math.round(ms / 1_000), "second"];
  if (ms < 2 * hourMs) return [Math.round(ms / minuteMs), "minute"];
  return ms < 48 * hourMs
    ? [Math.round(ms / hourMs), "hour"]
    : [Math.round(ms / (24 * hourMs)), "day"];
}
