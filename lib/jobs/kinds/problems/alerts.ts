import { newId } from "#lib/base/ids.ts";
import { endOfQuiet } from "#lib/core/watch/alerts/quiet-hours.ts";
import {
  digestAlerts,
  dropAlerts,
  lockHeldAlerts,
  releaseAlerts,
} from "#lib/db/alerts/held-alerts.ts";
import {
  addAlerts,
  findDueReminders,
  lockChangedProblems,
  type NewAlert,
} from "#lib/db/alerts/plan-alerts.ts";
import { claimAlerts } from "#lib/db/alerts/send-queue.ts";
import { toNewAlerts } from "#lib/jobs/alerts/new-alerts.ts";
import { releaseHeld } from "#lib/jobs/alerts/release-held.ts";
import { type SendParts, sendClaimed } from "#lib/jobs/alerts/send-claimed.ts";
import { fillPlaces } from "#lib/jobs/fill-places.ts";
import { defineJob, type Job, lockNothing } from "#lib/jobs/job.ts";

export type AlertOptions = SendParts & {
  /** Longer than the longest try. After it, another worker sends the message. */
  readonly leaseMs?: number;
};

const usualLeaseMs = 60_000;
const batch = 100;
/** Messages that one process sends at the same time. */
const atOnce = 10;

/** Adds the messages that changed problems need. Their keys are unique, so each is added once. */
export function planAlertsJob({ db }: Pick<AlertOptions, "db">): Job {
  return defineJob({
    kind: "plan_alerts",
    lock: lockNothing,
    workBatch: () =>
      db.$transaction(async (tx) => {
        const problems = await lockChangedProblems(tx, batch);
        if (problems.length === 0) return false;
        const now = new Date();
        const alerts = problems.flatMap((problem) => toNewAlerts(problem, now));
        const ids = problems.map(({ id }) => id);
        await addAlerts(tx, ids, alerts);
        return problems.length === batch;
      }),
  });
}

/** Reminds of problems that are open and not acknowledged. */
export function remindJob({ db }: Pick<AlertOptions, "db">): Job {
  return defineJob({
    kind: "remind_of_problems",
    lock: lockNothing,
    async workBatch() {
      const due = await findDueReminders(db, batch);
      if (due.length === 0) return false;
      const now = new Date();
      const alerts = due.map(({ quietHours, ...reminder }): NewAlert => {
        const dueAt = endOfQuiet(now, quietHours);
        return { ...reminder, event: "reminder", isHeld: dueAt > now, inDigest: false, dueAt };
      });
      await db.$transaction((tx) => addAlerts(tx, [], alerts));
      return false;
    },
  });
}

/** Releases messages that were held for quiet hours or a digest, once that time is over. */
export function releaseAlertsJob({ db }: Pick<AlertOptions, "db">): Job {
  return defineJob({
    kind: "release_alerts",
    lock: lockNothing,
    workBatch: () =>
      db.$transaction(async (tx) => {
        const held = await lockHeldAlerts(tx, 500);
        const [first] = held;
        if (first === undefined) return false;
        const { send, digest, drop } = releaseHeld(held);
        await releaseAlerts(tx, send);
        await digestAlerts(tx, first, digest);
        await dropAlerts(tx, drop);
        return true;
      }),
  });
}

/** Sends the messages that are due. */
export function sendAlertsJob({ leaseMs = usualLeaseMs, ...parts }: AlertOptions): Job {
  return defineJob({
    kind: "send_alerts",
    lock: lockNothing,
    async workBatch(_work, signal) {
      return await fillPlaces({
        ...{ places: atOnce, signal },
        async claim(limit) {
          const leaseId = newId();
          const alerts = await claimAlerts(parts.db, { leaseId, leaseMs, limit });
          return alerts.map((alert) => () => sendClaimed(alert, leaseId, parts));
        },
      });
    },
  });
}
