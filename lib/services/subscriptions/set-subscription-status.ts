import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import { markDisabled, markEnabled } from "#lib/db/subscriptions/subscription-status.ts";
import { getSubscription, lockSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit, auditWithoutChange } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { checkChallenge } from "./check-challenge.ts";
import { toSubscriptionTarget } from "./subscription-rules.ts";

const byId = z.strictObject({ id: recordId });

/**
 * Enables a disabled subscription: held runs start at once. A pending one gets another challenge,
 * and `conflict` says why it failed. In the portal, that is a separate command: `checkReceiver`.
 */
export const enableSubscription = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<SubscriptionRecord> => {
    const { db, actor } = context;
    const scope = recipientScope(actor);
    const before = await getSubscription(db, actor.accountId, id, scope);
    if (before.status === "pending" && actor.type !== "portal")
      return await checkReceiver(context, { id });
    const enabled = await db.$transaction(async (tx) => {
      const { status } = await lockSubscription(tx, actor.accountId, id, scope);
      if (status === "pending")
        throw new AppError("conflict", "The receiver URL has to answer the challenge first.");
      if (status === "disabled") await markEnabled(tx, id);
      const after = await getSubscription(tx, actor.accountId, id);
      const targets = [toSubscriptionTarget(after)];
      await audit(context, { event: "subscription.enabled", targets }, tx);
      return after;
    });
    notifyRunsDue(db);
    return enabled;
  },
});

/** Disables a subscription: it gets no events until it is enabled, and its open runs are held. */
export const disableSubscription = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<SubscriptionRecord> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      const { status } = await lockSubscription(tx, actor.accountId, id, recipientScope(actor));
      if (status === "pending")
        throw new AppError(
          "conflict",
          "This subscription is pending, so it gets no events. Delete it if it isn't wanted.",
        );
      await markDisabled(tx, id);
      const after = await getSubscription(tx, actor.accountId, id);
      const targets = [toSubscriptionTarget(after)];
      await audit(context, { event: "subscription.disabled", targets }, tx);
      return after;
    });
  },
});

/**
 * Challenges the receiver URL of a pending subscription again. Throws `conflict` if it doesn't
 * answer.
 */
export const checkReceiver = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<SubscriptionRecord> => {
    const { db, actor } = context;
    const before = await getSubscription(db, actor.accountId, id, recipientScope(actor));
    const after = await checkChallenge(context, before);
    if (after.status === "pending")
      throw new AppError(
        "conflict",
        after.statusReason?.detail ?? "The receiver URL didn't answer.",
      );
    await auditWithoutChange(context, {
      event: "subscription.checked",
      targets: [toSubscriptionTarget(after)],
    });
    return after;
  },
});
