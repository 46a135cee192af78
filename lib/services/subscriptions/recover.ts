import { AppError } from "#lib/base/errors.ts";
import { firstId } from "#lib/core/api/page.ts";
import { countMissing } from "#lib/db/events/missing-jobs.ts";
import type { BulkJobRecord } from "#lib/db/runs/bulk-jobs.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { type JobLimits, jobLimitFields, noLimits } from "#lib/schema/act/bulk-job.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { sinceSchema } from "#lib/schema/send/subscription.ts";
import { startBulkJob } from "#lib/services/bulk-jobs.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { startRunsJob } from "#lib/services/runs.ts";

const input = sinceSchema.extend({ ...jobLimitFields, id: recordId });
/** The account decides how fast its server sends, not the people of a portal. */
const portalInput = sinceSchema
  .extend({ id: recordId })
  .transform((since) => ({ ...since, ...noLimits }));

/** Retries the failed sends of a subscription since a time, in the background. */
export const recover = service({
  permission: "sends:repeat",
  input,
  portalInput,
  run: async (context, { id, since: from, ...limits }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    const scope = recipientScope(actor);
    const { id: subscriptionId } = await getSubscription(db, actor.accountId, id, scope);
    const filter = { ...scope, subscriptionId, status: "failed", from } as const;
    return await startRunsJob(context, "retry", filter, limits);
  },
});

/**
 * Sends a subscription, in the background and oldest first, the events since a time that match it
 * and that it was never sent, such as those that were published while it was disabled. Throws
 * `conflict` if it isn't active or nothing is missing.
 */
export const replayMissing = service({
  permission: "sends:repeat",
  input,
  portalInput,
  run: async (context, { id, since: from, ...limits }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    const subscription = await getSubscription(db, actor.accountId, id, recipientScope(actor));
    return await startMissingJob(context, subscription, from, limits);
  },
});

async function startMissingJob(
  context: ServiceContext,
  { id, status, recipient, eventTypes }: SubscriptionRecord,
  from: number,
  limits: JobLimits,
): Promise<BulkJobRecord> {
  if (status !== "active") {
    const detail = `This subscription is ${status}, so it gets no events. Enable it first.`;
    throw new AppError("conflict", detail);
  }
  const { accountId } = context.actor;
  const target = { accountId, subscriptionId: id, recipient, eventTypes };
  const total = await countMissing(context.db, target, from);
  if (total === 0) {
    const detail = "No event is missing. Every one since then that matches was sent.";
    throw new AppError("conflict", detail);
  }
  const filter = { subscriptionId: id, from };
  const job = { kind: "replay_missing", filter, total, seenBefore: firstId } as const;
  return await startBulkJob(context, job, limits);
}
