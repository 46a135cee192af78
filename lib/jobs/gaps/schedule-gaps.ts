import { earliestMs } from "#lib/core/providers/event-lists/earliest-event.ts";
import type { EventList } from "#lib/core/providers/event-lists/event-list.ts";
import { findEventList } from "#lib/core/providers/event-lists/find-event-list.ts";
import { whyIncomparable } from "#lib/core/verify/hook/why-incomparable.ts";
import {
  beginScheduledGap,
  beginTakeIn,
  countStillMissing,
  type DueSchedule,
  type EndedGap,
  lockDueSchedule,
  lockEndedGap,
  markFollowed,
  setNextSearch,
} from "#lib/db/gaps/follow-gaps.ts";
import { type AcceptingHook, findAcceptingHook } from "#lib/db/hooks/evaluation-hook.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import { defineJob, type Job } from "../job.ts";
import { overlapMs } from "./find-place.ts";

type Options = {
  readonly db: SqlDatabase;
  /** Zero: forever. */
  readonly retentionDays: number;
};

const everyMs = { hour: 3_600_000, day: 86_400_000 } as const;
/** While a person's search of the same hook is running. */
const busyMs = 60_000;

/** Begins searches that are due, and looks at what they have found. */
export function scheduleGapsJobs({ db, retentionDays }: Options): readonly Job[] {
  return [
    defineJob({
      kind: "schedule_gaps",
      lock: (use) =>
        db.$transaction(async (tx) => {
          const schedule = await lockDueSchedule(tx);
          return schedule === null ? false : await use({ tx, schedule });
        }),
      workBatch: async ({ tx, schedule }: { tx: SqlStatements; schedule: DueSchedule }) =>
        await beginSearch(tx, schedule, retentionDays),
    }),
    defineJob({
      kind: "follow_gaps",
      lock: (use) =>
        db.$transaction(async (tx) => {
          const gap = await lockEndedGap(tx);
          return gap === null ? false : await use({ tx, gap });
        }),
      workBatch: async ({ tx, gap }: { tx: SqlStatements; gap: EndedGap }) => await follow(tx, gap),
    }),
  ];
}

/** Returns true: another one may be due. */
async function beginSearch(
  tx: SqlStatements,
  schedule: DueSchedule,
  retentionDays: number,
): Promise<true> {
  const { hookId, accountId, credentialId } = schedule;
  const nowMs = Date.now();
  const restMs = everyMs[schedule.every];
  const next = async (ms: number) => {
    await setNextSearch(tx, hookId, nowMs + ms);
    return true as const;
  };
  const hook = await findAcceptingHook(tx, accountId, hookId);
  const list = hook === null ? null : findEventList(hook.provider);
  if (hook === null || list === null) return await next(restMs);
  const why = whyNot(hook, list, credentialId);
  if (why !== null) {
    await report(tx, { accountId, hookId, at: new Date(nowMs), missing: null, message: why });
    return await next(restMs);
  }
  const askedFromMs = (schedule.searchedUntil?.getTime() ?? nowMs - restMs) - overlapMs;
  const fromMs = Math.max(askedFromMs, earliestMs(list, retentionDays, nowMs));
  const { webhook } = schedule;
  const gap = { hookId, accountId, credentialId, webhook, provider: hook.provider };
  const hasStarted = await beginScheduledGap(tx, { ...gap, askedFromMs, fromMs, toMs: nowMs });
  return await next(hasStarted ? restMs : busyMs);
}

function whyNot(hook: AcceptingHook, list: EventList, credentialId: string | null): string | null {
  if (credentialId === null)
    return `The credential for ${list.name} was deleted. Choose another one for the schedule.`;
  return hook.isReady ? whyIncomparable(hook, list.name) : null;
}

async function follow(tx: SqlStatements, gap: EndedGap): Promise<true> {
  const { accountId, hookId, status, finishedAt: at } = gap;
  await markFollowed(tx, gap);
  if (gap.takeIn === null || status === "cancelled") return true;
  if (status === "failed") {
    const message = gap.reason ?? "The search failed.";
    await report(tx, { accountId, hookId, at, missing: null, message });
    return true;
  }
  const missing = await countStillMissing(tx, gap);
  const types = missing.flatMap(({ eventType }) => eventType ?? []);
  const count = missing.reduce((sum, type) => sum + type.count, 0);
  const filter = { hookId, gapId: gap.id, run: gap.takeIn === "run", eventTypes: types };
  const perMinute = findEventList(gap.provider)?.redelivers?.perMinute ?? null;
  if (gap.takeIn !== "none") await beginTakeIn(tx, gap, filter, perMinute);
  if (count === 0 || gap.takeIn !== "none") await resolveProblem(tx, accountId, toKey(hookId));
  else {
    const name = findEventList(gap.provider)?.name ?? gap.provider;
    const events = count === 1 ? "1 event" : `${count.toLocaleString("en")} events`;
    const message = `${name} has ${events} that never arrived. They can be taken in for 7 days.`;
    await report(tx, { accountId, hookId, at, missing: count, message });
  }
  return true;
}

type Reported = {
  readonly accountId: string;
  readonly hookId: string;
  readonly at: Date;
  /** Null: the search isn't possible. */
  readonly missing: number | null;
  readonly message: string;
};

async function report(
  tx: SqlStatements,
  { accountId, hookId, at, missing, message }: Reported,
): Promise<void> {
  const details = { kind: "missing_events", missing, message } as const;
  const key = toKey(hookId);
  await openProblem(tx, { accountId, kind: "missing_events", key, hookId, at, details });
}

const toKey = (hookId: string) => `missing_events:${hookId}`;
