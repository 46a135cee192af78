import { hourOfWeek, type KnownRhythm, slotMinutes } from "./learn-rhythm.ts";
import { weekMinutes } from "./timeline.ts";

/** No silence is reported earlier: providers have hiccups, and statistics lag behind. */
export const minSilenceMinutes = 10;
const beyondUsual = 1.5;
/** A rhythm that allows more isn't one. */
const maxSilenceMinutes = 5 * weekMinutes;

/**
 * The minute since 1970 at which a silence becomes unusual, unless a delivery comes before. It has to
 * be improbable for the hook's rate, and clearly longer than at this time of the earlier weeks.
 *
 * @param fromMinute the minute of the last accepted delivery
 * @param isListening whether Catchment listened in a minute. Other minutes aren't silence
 * @returns null if that is more than five weeks away
 */
export function findDeadline(
  rhythm: KnownRhythm,
  fromMinute: number,
  isListening: (minute: number) => boolean,
): number | null {
  let [silence, expected] = [0, 0];
  for (let minute = fromMinute + 1; silence < maxSilenceMinutes; minute += 1) {
    if (minute - fromMinute > 2 * maxSilenceMinutes) return null;
    if (!isListening(minute)) continue;
    silence += 1;
    expected += rhythm.rates[hourOfWeek(minute)] ?? 0;
    if (silence < minSilenceMinutes || expected <= rhythm.bound) continue;
    const slot = Math.floor((minute % weekMinutes) / slotMinutes);
    if (silence >= beyondUsual * (rhythm.usualSilences[slot] ?? 0)) return minute;
  }
  return null;
}

/** The same for a hook that should get at least one delivery in so many minutes. */
export function findExpectedDeadline(
  everyMinutes: number,
  fromMinute: number,
  isListening: (minute: number) => boolean,
): number {
  let silence = 0;
  for (let minute = fromMinute + 1; ; minute += 1) {
    if (isListening(minute)) silence += 1;
    if (silence >= everyMinutes) return minute;
  }
}
