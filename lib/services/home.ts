import { z } from "zod";
import { isComplete } from "#lib/core/verify/hook/hook-rules.ts";
import { type ActionName, readActionNames } from "#lib/db/actions/action-names.ts";
import { countEvents, listEvents } from "#lib/db/events/list-events.ts";
import { countSends } from "#lib/db/events/list-parts.ts";
import { listHookStates } from "#lib/db/hooks/hook-states.ts";
import { readSendingSteps } from "#lib/db/overview/sending-steps.ts";
import {
  type AccountStatistics,
  readAccountStatistics,
  sumEvents,
} from "#lib/db/overview/statistics.ts";
import { readRecipientNames } from "#lib/db/recipients/recipients.ts";
import {
  countOpenRuns,
  findLastFailures,
  type OpenRuns,
  sumWaiting,
} from "#lib/db/runs/open-runs.ts";
import { readSpools } from "#lib/db/spool/spool-reports.ts";
import { countSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { listFailingSubscriptions, listNotices } from "#lib/db/subscriptions/notices.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { activityRange, activityRanges, startOfRange } from "#lib/schema/watch/activity.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { service } from "#lib/services/frame/service.ts";

const shownFailing = 5;
const shownHooks = 6;

/**
 * Activity, failures, and hooks that need attention of an account. `nowMs` is the clock for ages.
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
    const [hooks, statistics, open, spool] = await Promise.all([
      listHookStates(db, accountId),
      readAccountStatistics(db, accountId, { fromMs, bucketMs, nowMs }),
      countOpenRuns(db, accountId),
      readSpools(db),
    ]);
    const actions = await readActionNames(db, accountId, listFailing(statistics, open));
    const failing = rankFailing(statistics, open, actions);
    const failures = await findLastFailures(
      db,
      accountId,
      failing.slice(0, shownFailing).map(({ id }) => id),
    );
    const { targets: _, ...figures } = statistics;
    return {
      nowMs,
      bucketMs,
      hasHooks: hooks.length > 0,
      figures: { ...figures, arrived: sumEvents(statistics.deliveries) },
      waiting: sumWaiting(open),
      failing: failing.slice(0, shownFailing).map((action) => ({
        ...action,
        reason: failures.get(action.id)?.reason ?? null,
        at: failures.get(action.id)?.at ?? null,
      })),
      moreFailing: Math.max(0, failing.length - shownFailing),
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

/** Actions with failed runs in the range, or runs that are being retried. */
function listFailing({ targets }: AccountStatistics, open: readonly OpenRuns[]): readonly string[] {
  const failed = [...targets].flatMap(([id, counts]) => ((counts.failed ?? 0) > 0 ? [id] : []));
  const retrying = open.flatMap(({ status, actionId }) =>
    status === "retrying" && actionId !== null ? [actionId] : [],
  );
  return [...failed, ...retrying];
}

/** Actions whose runs failed in the range or are being retried, most failures first. */
function rankFailing(
  { targets }: AccountStatistics,
  open: readonly OpenRuns[],
  actions: readonly ActionName[],
) {
  return actions
    .map(({ id, name, hookName }) => ({
      id,
      name,
      hookName,
      failed: targets.get(id)?.failed ?? 0,
      succeeded: targets.get(id)?.succeeded ?? 0,
      retrying: sumWaiting(open.filter(({ actionId }) => actionId === id)).retrying,
    }))
    .filter(({ failed, retrying }) => failed > 0 || retrying > 0)
    .toSorted((one, other) => other.failed + other.retrying - (one.failed + one.retrying));
}

/** The number of latest events whose sends are counted for the rate. */
const sampledEvents = 200;
const shownNotices = 5;
const shownReceivers = 5;

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
    const [events, statuses, latest, notices, failing] = await Promise.all([
      countEvents(db, accountId, from),
      countSubscriptions(db, accountId),
      listEvents(db, accountId, { from }, { limit: sampledEvents }),
      listNotices(db, accountId, shownNotices),
      listFailingSubscriptions(db, accountId, shownReceivers + 1),
    ]);
    const counts = await countSends(
      db,
      accountId,
      latest.items.map(({ internalId }) => internalId),
    );
    const names = await readRecipientNames(
      db,
      accountId,
      [...notices, ...failing].flatMap(({ recipient }) => recipient ?? []),
    );
    const withName = <Item extends { readonly recipient: string | null }>(item: Item) => ({
      ...item,
      recipientName: names.get(item.recipient ?? "") ?? null,
    });
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
      notices: notices.map(withName),
      failing: failing.slice(0, shownReceivers).map(withName),
      isMoreFailing: failing.length > shownReceivers,
    };
  },
});
