import { createMissingJob } from "#lib/db/events/missing-jobs.ts";
import { type BulkJobRecord, createBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { sinceSchema } from "#lib/schema/sender/subscription.ts";
import { recipientScope } from "#lib/services/actor.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";

const since = sinceSchema.extend({ id: recordId });

/** Retries the failed sends of a subscription since a time, in the background. */
export const recover = service({
  permission: "sends:repeat",
  input: since,
  portalInput: since,
  run: async (context, { id, since: from }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    const scope = recipientScope(actor);
    const { id: subscriptionId } = await getSubscription(db, actor.accountId, id, scope);
    const filter = { ...scope, subscriptionId, status: "failed", from } as const;
    const job = await createBulkJob(db, actor.accountId, "retry", filter);
    const targets = [
      { type: "subscription", id },
      { type: "bulk_job", id: job.id },
    ];
    await audit(context, { event: "subscription.recovery.started", targets });
    return job;
  },
});

/** Sends a subscription the events since a time that it was never sent, in the background. */
export const replayMissing = service({
  permission: "sends:repeat",
  input: since,
  portalInput: since,
  run: async (context, { id, since: from }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    const job = await createMissingJob(db, actor.accountId, id, from, recipientScope(actor));
    const targets = [
      { type: "subscription", id },
      { type: "bulk_job", id: job.id },
    ];
    await audit(context, { event: "subscription.replay.started", targets });
    return job;
  },
});
