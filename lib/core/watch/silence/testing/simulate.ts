import { findDeadline } from "../find-deadline.ts";
import { learnRhythm } from "../learn-rhythm.ts";
import type { Timeline } from "../timeline.ts";
import { type SimulatedRhythm, seededRandom, simulatedRhythms } from "./rhythms.ts";

/** Four weeks to learn from, and the four weeks that are watched. */
const learnFrom = Date.UTC(2026, 8, 21) / 60_000;
const watchFrom = learnFrom + 28 * 1_440;
const watchUntil = watchFrom + 28 * 1_440;
/** Wednesday, 2026-11-04, 10:00 UTC. */
const outageFrom = Date.UTC(2026, 10, 4, 10) / 60_000;
/** The lengths of outages that companies reported. In the first, only rejected deliveries arrived. */
export const outageHours = [7.5, 14.5, 288] as const;

type SimulatedResult = {
  readonly rhythm: string;
  /** The longest gap of the four weeks before the outage, within the hours in which it delivers. */
  readonly usualGap: number;
  readonly falseAlarms: number;
  /** For each outage, the minutes from the last delivery to the alarm. Null: not found. */
  readonly foundAfter: readonly (number | null)[];
};

export function simulateAll(seed: number): readonly SimulatedResult[] {
  return simulatedRhythms.map((rhythm, at) => simulate(rhythm, seed * 100 + at));
}

function simulate(rhythm: SimulatedRhythm, seed: number): SimulatedResult {
  const span = { fromMinute: learnFrom, untilMinute: watchUntil };
  const minutes = toMinutes(rhythm.arrive(span, seededRandom(seed)));
  return {
    rhythm: rhythm.name,
    usualGap: measureUsualGap(rhythm, minutes),
    falseAlarms: findAlarms(minutes, watchFrom, watchUntil).length,
    foundAfter: outageHours.map((hours) => findOutage(minutes, hours * 60)),
  };
}

/** The minutes with a delivery, in order. */
function toMinutes(times: readonly number[]): number[] {
  const whole = times.map(Math.floor).filter((at) => at >= learnFrom && at < watchUntil);
  return [...new Set(whole)].sort((a, b) => a - b);
}

function measureUsualGap(rhythm: SimulatedRhythm, minutes: readonly number[]): number {
  const before = minutes.filter((at) => at >= outageFrom - 28 * 1_440 && at <= outageFrom);
  return before.reduce((max, at, index) => {
    const previous = before[index - 1] ?? at;
    for (let each = previous; each < at; each += 5) if (!rhythm.isActive(each)) return max;
    return Math.max(max, at - previous);
  }, 1);
}

/** When the alarm is raised that an outage causes: while it lasts. */
function findOutage(minutes: readonly number[], length: number): number | null {
  const until = outageFrom + length;
  const left = minutes.filter((at) => at < outageFrom || at >= until);
  const last = left.findLast((at) => at < outageFrom) ?? learnFrom;
  const alarm = findAlarms(left, last, until)[0];
  return alarm === undefined ? null : alarm - last;
}

/** The minutes of the alarms for silences that began at `from` or later. */
function findAlarms(minutes: readonly number[], from: number, until: number): number[] {
  const alarms: number[] = [];
  let rhythm: ReturnType<typeof learnRhythm> | null = null;
  let learnedAt = 0;
  for (const [index, at] of minutes.entries()) {
    const next = Math.min(minutes[index + 1] ?? until, until);
    if (at < from || at >= until || next - at < 10) continue;
    // Production learns before each look. A day is enough here.
    if (rhythm === null || at - learnedAt >= 1_440) {
      rhythm = learnRhythm(toTimeline(minutes, at + 1));
      learnedAt = at;
    }
    if (rhythm.kind === "unknown") continue;
    const deadline = findDeadline(rhythm, at, () => true);
    if (deadline !== null && deadline < next) alarms.push(deadline);
  }
  return alarms;
}

function toTimeline(minutes: readonly number[], until: number): Timeline {
  const length = until - learnFrom;
  const arrivals = new Uint8Array(length);
  for (const at of minutes) if (at < until) arrivals[at - learnFrom] = 1;
  const listening = new Uint8Array(length).fill(1);
  return { firstMinute: learnFrom, arrivals, listening, hourly: new Float64Array(0) };
}
