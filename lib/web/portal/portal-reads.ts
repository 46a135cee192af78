import { z } from "zod";
import { TextBudget } from "#lib/core/payload-tree/text-budget.ts";
import { explainSubscription } from "#lib/core/sender/explain-subscription.ts";
import { eventTypeNotFound, listCatalog } from "#lib/db/event-types/event-types.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { listBulkJobs } from "#lib/db/runs/bulk-jobs.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { readLastSends } from "#lib/db/subscriptions/last-sends.ts";
import { listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import type { RunListItem } from "#lib/schema/run.ts";
import { endedRunStates } from "#lib/schema/run-states.ts";
import { readCatalogType } from "#lib/services/event-types/read-catalog.ts";
import { toLastSend } from "#lib/services/subscriptions/last-send.ts";
import { toJobState } from "#lib/web/bulk-jobs/job-state.ts";
import { isAboutToChange, viewAttempts } from "#lib/web/runs/delivery-runs.ts";
import type { PortalCall } from "./call-portal.ts";

const pageSize = 50;
const maxSends = 20;
const maxJobs = 50;
const dayMs = 86_400_000;
/** The limit in bytes of the page. */
const messageBudget = 200_000;

/** The recipient's subscriptions, newest first. */
export const readSubscriptions = {
  needs: "subscriptions:read",
  async run({ accountId, recipient }, { cursor }, { db }) {
    const page = { limit: pageSize, cursor };
    const { items, nextCursor } = await listSubscriptions(db, accountId, { recipient }, page);
    const ids = items.map(({ id }) => id);
    const sends = await readLastSends(db, accountId, ids);
    return {
      nowMs: Date.now(),
      nextCursor,
      subscriptions: items.map((subscription) => {
        const last = sends.get(subscription.id);
        return {
          ...viewSubscription(subscription, last),
          last:
            last === undefined
              ? null
              : { status: last.status, httpStatus: last.httpStatus, at: last.createdAt },
        };
      }),
    };
  },
} as const satisfies PortalCall<{ readonly cursor: string | undefined }, unknown>;

export const readSubscription = {
  needs: "subscriptions:read",
  async run({ accountId, recipient }, { id }, { db }) {
    const subscription = await getSubscription(db, accountId, id, { recipient });
    const last = (await readLastSends(db, accountId, [subscription.id])).get(subscription.id);
    return { nowMs: Date.now(), subscription: viewSubscription(subscription, last) };
  },
} as const satisfies PortalCall<{ readonly id: string }, unknown>;

const ended = z.enum(endedRunStates);

/** The newest sends of a subscription, or those of a job, by their outcome. */
export const readSends = {
  needs: "events:read",
  async run({ accountId, recipient }, { id, cursor, job, status }, { db }) {
    const subscription = await getSubscription(db, accountId, id, { recipient });
    const filter = {
      subscriptionId: subscription.id,
      recipient,
      jobId: job,
      status: ended.safeParse(status).data,
    };
    const { items, nextCursor } = await listRuns(db, accountId, filter, {
      limit: maxSends,
      cursor,
    });
    const ids = items.map((run) => run.id);
    const now = Date.now();
    return {
      nowMs: now,
      nextCursor,
      sends: await readRunRows(db, accountId, ids),
      isMoving: items.some((run) => isAboutToChange(run, now)),
    };
  },
} as const satisfies PortalCall<
  {
    readonly id: string;
    readonly cursor?: string | undefined;
    readonly job?: string | undefined;
    readonly status?: string | undefined;
  },
  unknown
>;

/** Recent jobs that resend a subscription's failed sends, or send events that it never got. */
export const readRecoveries = {
  needs: "sends:repeat",
  async run({ accountId, recipient }, { id }, { db }) {
    const subscription = await getSubscription(db, accountId, id, { recipient });
    const { items } = await listBulkJobs(db, accountId, { limit: maxJobs }, [
      "retry",
      "replay_missing",
    ]);
    const dayAgo = Date.now() - dayMs;
    return items.flatMap((job) => {
      const { kind, filter, createdAt } = job;
      // The account's own jobs over all its subscriptions aren't the recipient's business.
      if (kind !== "retry" && kind !== "replay_missing") return [];
      if (kind === "retry" && filter.recipient !== recipient) return [];
      if (filter.subscriptionId !== subscription.id || createdAt.getTime() < dayAgo) return [];
      return [{ ...toJobState(job), problem: null, kind, from: filter.from ?? null }];
    });
  },
} as const satisfies PortalCall<{ readonly id: string }, unknown>;

/** One send with its event's body and its attempts. */
export const readSend = {
  needs: "events:read",
  async run({ accountId, recipient }, { runId }, { db }) {
    const run = await getRun(db, accountId, runId, { recipient });
    const { internalEventId, subscriptionId } = run;
    if (subscriptionId === null) throw notFound("run");
    const subscription = await getSubscription(db, accountId, subscriptionId, { recipient });
    const event =
      internalEventId === null
        ? null
        : await getEvent(db, accountId, internalEventId, { recipient }).catch(() => null);
    const budget = new TextBudget(messageBudget);
    const body = event === null ? null : budget.take(Buffer.from(event.body).toString("utf8"));
    return {
      nowMs: Date.now(),
      isMoving: isAboutToChange(run, Date.now()),
      send: {
        id: run.id,
        status: run.status,
        reason: run.reason,
        attemptCount: run.attemptCount,
        nextAttemptAt: run.nextAttemptAt,
        createdAt: run.createdAt,
        ...viewAttempts(run, budget),
      },
      subscription: viewSubscription(subscription, undefined),
      event: event === null ? null : { id: event.id, type: event.type, createdAt: event.createdAt },
      body,
    };
  },
} as const satisfies PortalCall<{ readonly runId: string }, unknown>;

/** The event types that the account sends. */
export const readCatalog = {
  needs: "subscriptions:read",
  async run({ accountId }, _input, { db }) {
    return await listCatalog(db, accountId);
  },
} as const satisfies PortalCall<null, unknown>;

/** One of them, with its example and its schema. */
export const readEventType = {
  needs: "subscriptions:read",
  async run({ accountId }, { name }, { db }) {
    const type = await readCatalogType(db, accountId, name);
    if (type === null) throw eventTypeNotFound();
    return type;
  },
} as const satisfies PortalCall<{ readonly name: string }, unknown>;

/** The subscription without sealed values and the account's own data, such as its metadata. */
function viewSubscription(subscription: SubscriptionRecord, last: RunListItem | undefined) {
  const { id, receiverUrl, description, eventTypes, status, statusReason } = subscription;
  const { failingSince, keyPair, secrets, createdAt } = subscription;
  return {
    id,
    receiverUrl,
    description,
    eventTypes,
    status,
    statusReason,
    failingSince,
    keyPair,
    secrets,
    createdAt,
    explanation: explain(subscription, last),
  };
}

/**
 * Says in one sentence if the subscription gets events. The account's other events stay private.
 */
function explain(subscription: SubscriptionRecord, last: RunListItem | undefined) {
  const { status, statusReason, failingSince, ordered, recipient } = subscription;
  if (status === "active" && failingSince === null && last === undefined)
    return { tone: "neutral", text: "The next matching event goes to this URL." } as const;
  return explainSubscription({
    status,
    statusReason,
    isFailing: failingSince !== null,
    ordered,
    recipient,
    last: last === undefined ? null : toLastSend(last),
    published: "none",
  });
}
