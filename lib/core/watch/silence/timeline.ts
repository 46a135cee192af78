/** One hour of a hook. Minutes are bits; the lowest one is the first minute. */
type CountedHour = {
  /** The start of the hour in Unix milliseconds. */
  readonly hourMs: number;
  /** Deliveries that were accepted. */
  readonly accepted: number;
  /** The minutes in which any was accepted. Null: only their number is known. */
  readonly minutes: bigint | null;
};

/**
 * The minutes of an hour in which Catchment listened. It didn't in hours without one, except before
 * the first, when this wasn't known yet.
 */
type ListeningHour = { readonly hourMs: number; readonly minutes: bigint };

/** A hook's past, minute by minute. All indexes count minutes from `firstMinute`. */
export type Timeline = {
  /** Minutes since 1970, at the start of an hour. */
  readonly firstMinute: number;
  /** 1: at least one delivery was accepted in this minute. */
  readonly arrivals: Uint8Array;
  /** 0: Catchment didn't listen in this minute. */
  readonly listening: Uint8Array;
  /** Accepted deliveries per hour. */
  readonly hourly: Float64Array;
};

export type TimelineInput = {
  readonly hours: readonly CountedHour[];
  readonly listeningHours: readonly ListeningHour[];
  /** The start of the first hour, in Unix milliseconds. */
  readonly fromMs: number;
  /** The time up to which everything is counted. */
  readonly untilMs: number;
};

export const hourMs = 3_600_000;
export const minuteMs = 60_000;
export const weekMinutes = 10_080;

/** Lays hourly rows out as minutes. Its length is that of the span, up to the last whole minute. */
export function buildTimeline(input: TimelineInput): Timeline {
  const firstMinute = (Math.floor(input.fromMs / hourMs) * hourMs) / minuteMs;
  const length = Math.max(0, Math.floor(input.untilMs / minuteMs) - firstMinute);
  const arrivals = new Uint8Array(length);
  const listening = new Uint8Array(length).fill(1);
  const hourly = new Float64Array(Math.ceil(length / 60));
  for (const { hourMs: startMs, accepted, minutes } of input.hours) {
    const at = startMs / minuteMs - firstMinute;
    if (at < 0 || at >= length || accepted === 0) continue;
    hourly[at / 60] = accepted;
    eachMinute(minutes ?? 1n, (minute) => setBit(arrivals, at + minute, 1));
  }
  const known = input.listeningHours.map((each) => each.hourMs / minuteMs - firstMinute);
  listening.fill(0, Math.max(0, Math.min(length, ...known)));
  for (const { hourMs: startMs, minutes } of input.listeningHours) {
    const at = startMs / minuteMs - firstMinute;
    if (at >= 0) eachMinute(minutes, (minute) => setBit(listening, at + minute, 1));
  }
  // A delivery proves it.
  for (let at = 0; at < length; at += 1) if (arrivals[at] === 1) listening[at] = 1;
  return { firstMinute, arrivals, listening, hourly };
}

function setBit(bits: Uint8Array, at: number, value: number): void {
  if (at < bits.length) bits[at] = value;
}

/** In two halves, because numbers are much faster than big integers. */
function eachMinute(minutes: bigint, use: (minute: number) => void): void {
  const [low, high] = [Number(minutes & halfHour), Number((minutes >> 30n) & halfHour)];
  for (let minute = 0; minute < 30; minute += 1) {
    if (((low >>> minute) & 1) === 1) use(minute);
    if (((high >>> minute) & 1) === 1) use(minute + 30);
  }
}

const halfHour = (1n << 30n) - 1n;
