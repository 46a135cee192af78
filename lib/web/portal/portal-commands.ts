import { z } from "zod";
import { createMissingJob } from "#lib/db/events/missing-jobs.ts";
import { resendEvent } from "#lib/db/events/resend-event.ts";
import { createBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import {
  disableSubscription,
  enableSubscription,
} from "#lib/db/subscriptions/subscription-status.ts";
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  rotateSubscriptionSecret,
  updateSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import { AppError } from "#lib/errors.ts";
import {
  sinceSchema,
  subscriptionInputSchema,
  subscriptionPatchSchema,
  subscriptionSecretSchema,
  testEventSchema,
} from "#lib/schema/sender/subscription.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";
import { challengeNewUrl, checkChallenge } from "#lib/web/services/check-challenge.ts";
import { sendTestEvent } from "#lib/web/services/send-test-event.ts";
import type { PortalCommand } from "./run-portal-command.ts";

const idShape = { id: z.string().max(64) };
const idSchema = z.strictObject(idShape);

/** What people may set themselves. Filters, headers, and limits stay with the account. */
const editable = {
  receiverUrl: true,
  eventTypes: true,
  description: true,
  keyPair: true,
} as const;
const createSchema = subscriptionInputSchema.pick(editable);
const updateSchema = subscriptionPatchSchema.pick(editable).extend(idShape);

/** Creates a subscription, which stays pending until its receiver URL answers the challenge. */
export const createCommand = command(
  "subscriptions:write",
  createSchema,
  async (portal, input, context) => {
    const { accountId, recipient } = portal;
    const all = subscriptionInputSchema.parse({ ...input, recipient });
    const { subscription, secret } = await createSubscription(
      context.db,
      accountId,
      all,
      rulesOf(context),
    );
    const { status } = await challengeNewUrl(context, subscription);
    return { id: subscription.id, secret, isPending: status === "pending" };
  },
);

export const updateCommand = command(
  "subscriptions:write",
  updateSchema,
  async (portal, { id, ...patch }, context) => {
    const { accountId, recipient } = portal;
    const rules = { ...rulesOf(context), scope: { recipient } };
    const before = await getSubscription(context.db, accountId, id, { recipient });
    const saved = await updateSubscription(context.db, accountId, id, patch, rules);
    const isMoved = saved.receiverUrl !== before.receiverUrl;
    const { status } = isMoved ? await challengeNewUrl(context, saved) : saved;
    return { isPending: status === "pending" };
  },
);

/** Challenges the receiver URL again. */
export const checkCommand = command(
  "subscriptions:write",
  idSchema,
  async (portal, { id }, context) => {
    const { accountId, recipient } = portal;
    const subscription = await getSubscription(context.db, accountId, id, { recipient });
    const { status, statusReason } = await checkChallenge(context, subscription);
    if (status === "pending")
      throw new AppError("conflict", statusReason?.detail ?? "It didn't answer the challenge.");
    return null;
  },
);

/** The new secret, which isn't shown again. */
export const rotateCommand = command(
  "subscriptions:write",
  subscriptionSecretSchema.extend(idShape),
  async ({ accountId, recipient }, { id, ...rotation }, { db, sealer }) => {
    const rules = { sealer, scope: { recipient } };
    const { secret } = await rotateSubscriptionSecret(db, accountId, id, rotation, rules);
    return { secret };
  },
);

export const enableCommand = command(
  "subscriptions:write",
  idSchema,
  async (portal, { id }, { db }) => {
    const { accountId, recipient } = portal;
    await enableSubscription(db, accountId, id, { recipient });
    return null;
  },
);

export const disableCommand = command(
  "subscriptions:write",
  idSchema,
  async (portal, { id }, { db }) => {
    const { accountId, recipient } = portal;
    await disableSubscription(db, accountId, id, { recipient });
    return null;
  },
);

export const removeCommand = command(
  "subscriptions:write",
  idSchema,
  async (portal, { id }, { db }) => {
    const { accountId, recipient } = portal;
    await deleteSubscription(db, accountId, id, { recipient });
    return null;
  },
);

/** Sends an example event to this subscription only. */
export const testCommand = command(
  "subscriptions:write",
  testEventSchema.extend(idShape),
  async ({ accountId, recipient }, { id, ...wanted }, context) => {
    const { runId } = await sendTestEvent(context, accountId, id, wanted, { recipient });
    return { runId };
  },
);

/** Sends the event of a send again, to the same subscription. */
export const resendCommand = command("resend", idSchema, async (portal, { id }, { db }) => {
  const { accountId, recipient } = portal;
  const { internalEventId, subscriptionId } = await getRun(db, accountId, id, { recipient });
  if (internalEventId === null || subscriptionId === null)
    throw new AppError("conflict", "The event is no longer stored.");
  const only = { subscriptionIds: [subscriptionId], onlyFailed: false };
  const [runId] = await resendEvent(db, accountId, internalEventId, only, { recipient });
  if (runId === undefined) throw new Error("Nothing was queued");
  return { runId };
});

/** Sends what failed since a time again, in the background. */
export const recoverCommand = command(
  "resend",
  sinceSchema.extend(idShape),
  async ({ accountId, recipient }, { id, since }, { db }) => {
    const subscription = await getSubscription(db, accountId, id, { recipient });
    const of = { subscriptionId: subscription.id, recipient };
    await createBulkJob(db, accountId, "retry", { ...of, status: "failed", from: since });
    return null;
  },
);

/** Sends the events since a time that it was never sent, in the background. */
export const replayMissingCommand = command(
  "resend",
  sinceSchema.extend(idShape),
  async ({ accountId, recipient }, { id, since }, { db }) => {
    await createMissingJob(db, accountId, id, since, { recipient });
    return null;
  },
);

function rulesOf({ sealer, env }: ServerContext) {
  return { sealer, allowList: env.egressAllow, isPortal: true };
}

function command<Schema extends z.ZodType, Value>(
  needs: PortalCommand<Schema, Value>["needs"],
  schema: Schema,
  run: PortalCommand<Schema, Value>["run"],
): PortalCommand<Schema, Value> {
  return { needs, schema, run };
}
