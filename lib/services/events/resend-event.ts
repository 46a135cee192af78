import { AppError } from "#lib/base/errors.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { queueSends } from "#lib/db/events/queue-sends.ts";
import { findRecipientStatuses, findResendTargets } from "#lib/db/events/resend-event.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { readRuns } from "#lib/db/runs/list-runs.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { type Resend, resendSchema } from "#lib/schema/send/event-query.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

/** Sends an event again, to all subscriptions that match it now or to the given ones. */
export const resendEvent = service({
  permission: "events:write",
  input: resendSchema.extend({ id: recordId }),
  run: async (context, { id, ...resend }): Promise<readonly RunRecord[]> => {
    const ids = await queueResend(context, id, resend);
    return await readRuns(context.db, context.actor.accountId, { ids, limit: ids.length });
  },
});

/** Sends the event of a send again, to the same subscription. Returns the id of the new run. */
export const resendRun = service({
  permission: "sends:repeat",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<{ readonly runId: string }> => {
    const { db, actor } = context;
    const scope = recipientScope(actor);
    const { internalEventId, subscriptionId } = await getRun(db, actor.accountId, id, scope);
    if (internalEventId === null || subscriptionId === null)
      throw new AppError("conflict", "The event is no longer stored.");
    const only = { subscriptionIds: [subscriptionId], onlyFailed: false };
    const [runId] = await queueResend(context, internalEventId, only);
    if (runId === undefined) throw new Error("Nothing was queued");
    return { runId };
  },
});

/**
 * Queues new sends of an event, never to another recipient's subscriptions: to the active
 * subscriptions that match it now, or to the given ones, whatever event types they have. With
 * `onlyFailed`, only subscriptions whose newest send of it failed get one. Returns the ids of the
 * new runs.
 */
export async function queueResend(
  context: ServiceContext,
  eventId: string,
  resend: Resend,
): Promise<readonly string[]> {
  const { db, actor } = context;
  const { accountId } = actor;
  const event = await getEvent(db, accountId, eventId, recipientScope(actor));
  const { subscriptionIds, onlyFailed } = resend;
  const runIds = await db.$transaction(async (tx) => {
    if (subscriptionIds !== undefined) {
      const statuses = await findRecipientStatuses(tx, accountId, event, subscriptionIds);
      requireActive(subscriptionIds, statuses);
    }
    const targets = await findResendTargets(tx, accountId, event, resend);
    if (targets.length === 0) throw new AppError("conflict", explainNone(onlyFailed));
    const sends = { accountId, eventIds: [event.internalId], subscriptionIds: targets };
    const ids = await queueSends(tx, sends);
    const about = { id: event.id, name: event.type };
    await audit(context, { event: "event.resent", targets: [{ type: "event", ...about }] }, tx);
    return ids;
  });
  notifyRunsDue(db);
  return runIds;
}

/** A send to a subscription that isn't active would only wait. */
function requireActive(
  subscriptionIds: readonly string[],
  statuses: ReadonlyMap<string, string>,
): void {
  for (const [index, id] of subscriptionIds.entries()) {
    const status = statuses.get(id);
    const path = `subscriptionIds.${index}`;
    if (status === undefined)
      throw new AppError("not_found", "The event's recipient has no subscription with this id.", {
        errors: [{ path, code: "not_found", message: "is not there" }],
      });
    if (status !== "active")
      throw new AppError("conflict", `A ${status} subscription gets no events. Enable it first.`, {
        errors: [{ path, code: "conflict", message: `is ${status}` }],
      });
  }
}

function explainNone(onlyFailed: boolean): string {
  return onlyFailed
    ? "No send of this event has failed, so there is nothing to send again."
    : "No active subscription gets events of this type and recipient.";
}
