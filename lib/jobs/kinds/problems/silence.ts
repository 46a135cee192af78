import { checkSilence } from "#lib/core/watch/silence/check-silence.ts";
import { describeSilence, measureUsual } from "#lib/core/watch/silence/describe-silence.ts";
import {
  buildTimeline,
  hourMs,
  minuteMs,
  type Timeline,
} from "#lib/core/watch/silence/timeline.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import {
  countRejectedSince,
  maxRejected,
  readCountedUntil,
  readHookHours,
} from "#lib/db/silence/hook-hours.ts";
import {
  lockDueHook,
  recordCheck,
  stopWatching,
  type WatchedHook,
  watchHooks,
} from "#lib/db/silence/watched-hooks.ts";
import { dayMs, defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";
import { type HookSilence, hookSilenceSchema } from "#lib/schema/receive/hook-silence.ts";

/** The roll-up counts a minute at most this late. */
const countedAfterMs = minuteMs;

/** Finds hooks that have gone silent, and those that deliver again. */
export function silenceJobs(db: SqlDatabase): readonly Job[] {
  return [
    defineJob({
      kind: "watch_hooks",
      lock: lockNothing,
      async workBatch() {
        await db.$transaction(async (tx) => {
          for (const { hookId, accountId, silentSince } of await stopWatching(tx))
            if (silentSince !== null) await resolveProblem(tx, accountId, toKey(hookId));
        });
        return (await watchHooks(db)) > 0;
      },
    }),
    defineJob({
      kind: "check_silence",
      async lock(use) {
        return await db.$transaction(async (tx) => {
          const hook = await lockDueHook(tx);
          return hook === null ? false : await use({ tx, hook });
        });
      },
      workBatch: async ({ tx, hook }: { tx: SqlStatements; hook: WatchedHook }) =>
        await checkHook(tx, hook),
    }),
  ];
}

/** Returns true: the next hook may be due too. */
async function checkHook(tx: SqlStatements, hook: WatchedHook): Promise<boolean> {
  const untilMs = await readCountedUntil(tx);
  if (untilMs === null) return await postpone(tx, hook, hourMs);
  const timeline = buildTimeline(await readHookHours(tx, hook.hookId, untilMs));
  const silence = hookSilenceSchema.parse(hook.silence ?? {});
  const check = checkSilence(timeline, silence, hook.watchedSince.getTime());
  if (check.kind === "silent") {
    if (hook.silentSince === null)
      await report(tx, { hook, silence, timeline, sinceMs: check.sinceMs, untilMs });
    const silentSince = new Date(check.sinceMs);
    await recordCheck(tx, hook.hookId, { checkAt: new Date(Date.now() + minuteMs), silentSince });
    return true;
  }
  if (hook.silentSince !== null) await resolveProblem(tx, hook.accountId, toKey(hook.hookId));
  const overdueMs = check.overdueAtMs === null ? dayMs : check.overdueAtMs - untilMs;
  const inMs = Math.min(dayMs, Math.max(0, overdueMs) + countedAfterMs);
  const checkAt = new Date(Date.now() + inMs);
  await recordCheck(tx, hook.hookId, { checkAt, silentSince: null });
  return true;
}

async function postpone(tx: SqlStatements, hook: WatchedHook, ms: number): Promise<boolean> {
  const { hookId, silentSince } = hook;
  await recordCheck(tx, hookId, { checkAt: new Date(Date.now() + ms), silentSince });
  return true;
}

type Silence = {
  readonly hook: WatchedHook;
  readonly silence: HookSilence;
  readonly timeline: Timeline;
  readonly sinceMs: number;
  readonly untilMs: number;
};

async function report(tx: SqlStatements, { hook, silence, timeline, ...span }: Silence) {
  const { hookId, accountId } = hook;
  const { sinceMs, untilMs } = span;
  const rejected = await countRejectedSince(tx, hookId, sinceMs);
  const usual = measureUsual(timeline, sinceMs, untilMs);
  const rejectedCount = rejected.reduce((sum, { count }) => sum + count, 0);
  const { expectEveryMinutes } = silence;
  const message = describeSilence({
    durationMs: untilMs - sinceMs,
    usual: expectEveryMinutes === null ? usual : { everyMinutes: expectEveryMinutes },
    rejected,
    isMore: rejectedCount >= maxRejected,
  });
  const last = timeline.arrivals.lastIndexOf(1);
  await openProblem(tx, {
    accountId,
    kind: "silence",
    key: toKey(hookId),
    hookId,
    reason: rejected[0]?.reason ?? null,
    at: new Date(untilMs),
    details: {
      kind: "silence",
      message,
      usualPerHour: usual?.perHour ?? 60 / (expectEveryMinutes ?? 60),
      earlierWeeks: [...(usual?.earlierWeeks ?? [])],
      expectEveryMinutes,
      silentSince: new Date(sinceMs).toISOString(),
      lastDeliveryAt:
        last === -1 ? null : new Date((timeline.firstMinute + last) * minuteMs).toISOString(),
      isOnlyRejected: rejected.length > 0,
      rejectedCount,
    },
  });
}

function toKey(hookId: string): string {
  return `silence:${hookId}`;
}
