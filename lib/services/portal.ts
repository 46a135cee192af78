import { z } from "zod";
import { pick } from "#lib/base/pick.ts";
import { explainSubscription } from "#lib/core/sending/explain-subscription.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { notFound } from "#lib/db/postgres/not-found.ts";
import { findPortalAccess, type PortalAccess } from "#lib/db/recipients/portal-links.ts";
import { getRecipient } from "#lib/db/recipients/recipients.ts";
import { listBulkJobs } from "#lib/db/runs/bulk-jobs.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { type AttemptRecord, getRun } from "#lib/db/runs/runs.ts";
import { readLastSends } from "#lib/db/subscriptions/last-sends.ts";
import { listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { listUsage } from "#lib/db/usage/list-usage.ts";
import type { RunListItem, RunReason } from "#lib/schema/act/run.ts";
import { endedRunStates } from "#lib/schema/act/run-states.ts";
import { byId, noFields, recordId } from "#lib/schema/field/common.ts";
import { toReceiverKind } from "#lib/schema/send/receiver-kind.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { toLastSend } from "#lib/services/subscriptions/read-subscriptions.ts";

/** The portal that a link opens: one recipient of one account, and what its people may do. */
export type Portal = PortalAccess & {
  /** The title of the portal. */
  readonly name: string;
};

/**
 * Turns the token of a link into its portal, or null if it is unknown, expired, or revoked. Every
 * page and every command of the portal starts here.
 */
export async function openPortal({ db }: ServiceParts, token: string): Promise<Portal | null> {
  const access = await findPortalAccess(db, token);
  if (access === null) return null;
  return { ...access, name: access.settings.portalName ?? access.accountName };
}

const pageSize = 50;
const maxJobs = 50;
const dayMs = 86_400_000;
const page = z.strictObject({ cursor: z.string().optional() });

/** The recipient's subscriptions, newest first. */
export const listPortalSubscriptions = service({
  permission: "subscriptions:read",
  input: page,
  portalInput: page,
  run: async ({ db, actor }, { cursor }) => {
    const { accountId } = actor;
    const at = { limit: pageSize, cursor };
    const list = await listSubscriptions(db, accountId, recipientScope(actor), at);
    const ids = list.items.map(({ id }) => id);
    const sends = await readLastSends(db, accountId, ids);
    const items = list.items.map((subscription) => {
      const last = hideFault(sends.get(subscription.id));
      return { ...showSubscription(subscription, last), last: last ?? null };
    });
    return { items, nextCursor: list.nextCursor };
  },
});

/** The addresses and networks that calls come from, as the operator says. None: they aren't known. */
export const listCallSources = service({
  permission: "subscriptions:read",
  input: noFields,
  portalInput: noFields,
  run: async ({ env }) => env.egressIps,
});

/** What the recipient got in the last 30 days, and how much of its quota is used. */
export const readPortalUsage = service({
  permission: "subscriptions:read",
  input: noFields,
  portalInput: noFields,
  run: async ({ db, actor, now }) => {
    const { recipient = "" } = recipientScope(actor);
    const { quota, quotaUse } = await getRecipient(db, actor.accountId, recipient);
    const nowMs = now().getTime();
    const toMs = Math.floor(nowMs / dayMs + 1) * dayMs;
    const days = { by: "day", fromMs: toMs - 30 * dayMs, toMs, recipient } as const;
    const { items } = await listUsage(db, actor.accountId, days, { limit: 30, nowMs });
    const sum = (name: "events" | "sends") => items.reduce((total, row) => total + row[name], 0);
    return { quota, quotaUse, events: sum("events"), sends: sum("sends") };
  },
});

/** One of them. Throws `not_found`. */
export const getPortalSubscription = service({
  permission: "subscriptions:read",
  input: byId,
  portalInput: byId,
  run: async ({ db, actor }, { id }) => {
    const subscription = await getSubscription(db, actor.accountId, id, recipientScope(actor));
    const sends = await readLastSends(db, actor.accountId, [subscription.id]);
    return showSubscription(subscription, hideFault(sends.get(subscription.id)));
  },
});

/** Recent jobs that resend a subscription's failed sends, or send events that it never got. */
export const listPortalRecoveries = service({
  permission: "sends:repeat",
  input: byId,
  portalInput: byId,
  run: async ({ db, actor, now }, { id }) => {
    const { recipient } = recipientScope(actor);
    const subscription = await getSubscription(db, actor.accountId, id, recipientScope(actor));
    const kinds = ["retry", "replay_missing"] as const;
    const { items } = await listBulkJobs(db, actor.accountId, { limit: maxJobs }, kinds);
    const dayAgo = now().getTime() - dayMs;
    return items.flatMap((job) => {
      const { kind, filter, createdAt } = job;
      // The account's own jobs over all its subscriptions aren't the recipient's business.
      if (kind !== "retry" && kind !== "replay_missing") return [];
      if (kind === "retry" && filter.recipient !== recipient) return [];
      if (filter.subscriptionId !== subscription.id || createdAt.getTime() < dayAgo) return [];
      return [{ job, kind }];
    });
  },
});

/** The subscription without sealed values and the account's own data, such as its metadata. */
function showSubscription(subscription: SubscriptionRecord, last: RunListItem | undefined) {
  const { id, receiverUrl, description, eventTypes, status, statusReason } = subscription;
  const { failingSince, keyPair, secrets, version, createdAt, credential } = subscription;
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
    version,
    createdAt,
    receiver: toReceiverKind(credential, receiverUrl) ?? "http",
    certificate:
      credential?.type === "certificate" ? pick(credential, "subject", "expiresAt") : null,
    explanation: explain(subscription, last),
  };
}

/**
 * Says in one sentence if the subscription gets events. The account's other events stay private.
 */
function explain(subscription: SubscriptionRecord, last: RunListItem | undefined) {
  const { status, failingSince } = subscription;
  if (status === "active" && failingSince === null && last === undefined)
    return { tone: "neutral", text: "The next matching event goes to this URL." } as const;
  return explainSubscription({
    ...subscription,
    isFailing: failingSince !== null,
    last: last === undefined ? null : toLastSend(last),
    published: "none",
  });
}

/** The sentence of a transform's fault may quote its code, which is the account's own. */
const hiddenFault = "The sender couldn't make the request for this event, and sees why.";

function isFault(code: string | null | undefined): boolean {
  return code?.startsWith("transform_") === true;
}

function hideFault<Send extends { readonly reason: RunReason | null } | undefined>(
  send: Send,
): Send {
  if (send?.reason == null || !isFault(send.reason.code)) return send;
  return { ...send, reason: { ...send.reason, detail: hiddenFault } };
}

function hideMessage(attempt: AttemptRecord): AttemptRecord {
  const { error } = attempt;
  return error === null || !isFault(error.code)
    ? attempt
    : { ...attempt, error: { ...error, message: hiddenFault } };
}

const sendsPerPage = 20;

/** Those of one subscription. An unknown status in a URL is ignored. */
const ofSubscription = z.strictObject({
  id: recordId,
  cursor: z.string().optional(),
  job: z.string().optional(),
  status: z.string().optional().transform(toEndedState),
});

function toEndedState(status: string | undefined) {
  return endedRunStates.find((one) => one === status);
}

/** The newest sends of a subscription, or those of a job, by their outcome. */
export const listPortalSends = service({
  permission: "events:read",
  input: ofSubscription,
  portalInput: ofSubscription,
  run: async ({ db, actor }, { id, cursor, job: jobId, status }) => {
    const { accountId } = actor;
    const scope = recipientScope(actor);
    const subscription = await getSubscription(db, accountId, id, scope);
    const filter = { ...scope, subscriptionId: subscription.id, jobId, status };
    const { items, nextCursor } = await listRuns(db, accountId, filter, {
      limit: sendsPerPage,
      cursor,
    });
    const ids = items.map((run) => run.id);
    const rows = await readRunRows(db, accountId, ids);
    return { items: rows.map((row) => hideFault(row)), nextCursor };
  },
});

/** One send with its attempts and its event. Throws `not_found`. */
export const getPortalSend = service({
  permission: "events:read",
  input: byId,
  portalInput: byId,
  run: async ({ db, actor }, { id }) => {
    const { accountId } = actor;
    const scope = recipientScope(actor);
    const run = await getRun(db, accountId, id, scope);
    const { internalEventId, subscriptionId } = run;
    if (subscriptionId === null) throw notFound("run");
    const subscription = await getSubscription(db, accountId, subscriptionId, scope);
    const event =
      internalEventId === null
        ? null
        : await getEvent(db, accountId, internalEventId, scope).catch(() => null);
    return {
      run: { ...hideFault(run), attempts: run.attempts.map(hideMessage) },
      subscription: showSubscription(subscription, undefined),
      event,
      /** The attempts show what this receiver gets. The event may have more. */
      isTransformed: subscription.transform !== null,
    };
  },
});
