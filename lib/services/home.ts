import { z } from "zod";
import { isComplete } from "#lib/core/verify/hook/hook-rules.ts";
import { countEvents, listEvents } from "#lib/db/events/list-events.ts";
import { countSends } from "#lib/db/events/list-parts.ts";
import { listHookStates } from "#lib/db/hooks/hook-states.ts";
import { readSendingSteps } from "#lib/db/overview/sending-steps.ts";
import { readAccountStatistics, sumEvents } from "#lib/db/overview/statistics.ts";
import { readRecipientNames } from "#lib/db/recipients/recipients.ts";
import { countOpenRuns, sumWaiting } from "#lib/db/runs/open-runs.ts";
import { readSpools } from "#lib/db/spool/spool-reports.ts";
import { countSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { listNotices } from "#lib/db/subscriptions/notices.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { activityRange, activityRanges, startOfRange } from "#lib/schema/watch/activity.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";

const shownHooks = 6;

/**
 * Activity and hooks that need attention of an account. `nowMs` is the clock for ages.
 */
export const readHome = service({
  permission: "deliveries:read",
  input: z.strictObject({ range: activityRange }),
  run: async ({ db, actor, now }, { range }) => {
    authorize(actor, "hooks:read");
    const { accountId } = actor;
    const nowMs = now().getTime();
    const { bucketMs } = activityRanges[range];
    const fromMs = startOfRange(range, nowMs);
    const [hooks, figures, open, spool] = await Promise.all([
      listHookStates(db, accountId),
      readAccountStatistics(db, accountId, { fromMs, bucketMs, nowMs }),
      countOpenRuns(db, accountId),
      readSpools(db),
    ]);
    return {
      nowMs,
      bucketMs,
      hasHooks: hooks.length > 0,
      figures: { ...figures, arrived: sumEvents(figures.deliveries) },
      waiting: sumWaiting(open),
      attention: hooks
        .map((hook) => ({
          id: hook.id,
          name: hook.name,
          status: hook.status,
          isSecretMissing: !isComplete(hook, hook.hasSecret),
          held: sumWaiting(open.filter(({ hookId }) => hookId === hook.id)).held,
        }))
        .filter(
          ({ status, isSecretMissing: isMissing, held }) =>
            status !== "active" || isMissing || held > 0,
        )
        .slice(0, shownHooks),
      spool,
    };
  },
});

/** The number of latest events whose sends are counted for the rate. */
const sampledEvents = 200;
const shownNotices = 5;

/** The first steps of an account that sends, for its empty pages. */
export const readFirstSteps = service({
  permission: "subscriptions:read",
  input: noFields,
  run: ({ db, actor }) => readSendingSteps(db, actor.accountId),
});

/** The account's published events and the state of its receivers, for the home page. */
export const readSending = service({
  permission: "events:read",
  input: z.strictObject({ range: activityRange }),
  run: async ({ db, actor, now }, { range }) => {
    authorize(actor, "subscriptions:read");
    const { accountId } = actor;
    const nowMs = now().getTime();
    const { bucketMs, buckets } = activityRanges[range];
    const from = nowMs - bucketMs * buckets;
    const [events, statuses, latest, notices] = await Promise.all([
      countEvents(db, accountId, from),
      countSubscriptions(db, accountId),
      listEvents(db, accountId, { from }, { limit: sampledEvents }),
      listNotices(db, accountId, shownNotices),
    ]);
    const counts = await countSends(
      db,
      accountId,
      latest.items.map(({ internalId }) => internalId),
    );
    const names = await readRecipientNames(
      db,
      accountId,
      notices.flatMap(({ recipient }) => recipient ?? []),
    );
    const all = [...counts.values()].flat();
    const sum = (wanted: RunStatus) =>
      all.reduce((total, { status, count }) => total + (status === wanted ? count : 0), 0);
    const sends = {
      succeeded: sum("succeeded"),
      failed: sum("failed"),
      retrying: sum("retrying"),
      waiting: sum("queued") + sum("running") + sum("held"),
    };
    const tried = sends.succeeded + sends.failed + sends.retrying;
    const { active = 0, disabled = 0, pending = 0 } = statuses;
    return {
      nowMs,
      isUsed: active + disabled + pending > 0 || latest.items.length > 0,
      events,
      sends,
      successRate: tried === 0 ? null : sends.succeeded / tried,
      subscriptions: { active, disabled, pending },
      notices: notices.map((notice) => ({
        ...notice,
        recipientName: names.get(notice.recipient ?? "") ?? null,
      })),
    };
  },
});
