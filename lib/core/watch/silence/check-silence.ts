import type { HookSilence } from "#lib/schema/receive/hook-silence.ts";
import { findDeadline, findExpectedDeadline } from "./find-deadline.ts";
import { learnRhythm } from "./learn-rhythm.ts";
import { minuteMs, type Timeline } from "./timeline.ts";

/** A hook's silence at the end of its timeline. */
type SilenceCheck =
  | { readonly kind: "silent"; readonly sinceMs: number }
  | {
      readonly kind: "active";
      /** When its next delivery is overdue. Null: that isn't known, or far away. */
      readonly overdueAtMs: number | null;
    };

/**
 * Checks the time since the last accepted delivery, or since the hook is watched, if that is later. A
 * hook whose rhythm isn't known yet is active, unless its setting says how often a delivery is
 * expected.
 */
export function checkSilence(
  timeline: Timeline,
  { expectEveryMinutes }: Pick<HookSilence, "expectEveryMinutes">,
  watchedSinceMs: number,
): SilenceCheck {
  const { firstMinute, arrivals, listening } = timeline;
  const watchedSince = Math.ceil(watchedSinceMs / minuteMs);
  const from = Math.max(firstMinute + arrivals.lastIndexOf(1), watchedSince);
  const isListening = (minute: number) => listening[minute - firstMinute] !== 0;
  const deadline =
    expectEveryMinutes === null
      ? findLearned(timeline, from, isListening)
      : findExpectedDeadline(expectEveryMinutes, from, isListening);
  const until = firstMinute + arrivals.length;
  if (deadline !== null && deadline < until) return { kind: "silent", sinceMs: from * minuteMs };
  return { kind: "active", overdueAtMs: deadline === null ? null : (deadline + 1) * minuteMs };
}

function findLearned(timeline: Timeline, from: number, isListening: (minute: number) => boolean) {
  const rhythm = learnRhythm(timeline);
  return rhythm.kind === "unknown" ? null : findDeadline(rhythm, from, isListening);
}
