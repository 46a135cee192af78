import { z } from "zod";
import type { SubscriptionRecord } from "#lib/db/subscriptions/subscription-record.ts";
import {
  disableSubscription as disable,
  enableSubscription as enable,
} from "#lib/db/subscriptions/subscription-status.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { AppError } from "#lib/errors.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { recipientScope } from "#lib/services/actor.ts";
import { audit } from "#lib/services/audit.ts";
import { service } from "#lib/services/service.ts";
import { checkChallenge } from "./check-challenge.ts";

const byId = z.strictObject({ id: recordId });

/**
 * Enables a disabled subscription. A pending one is asked again, and `conflict` says why not. In the
 * portal, asking again is a command of its own: `checkReceiver`.
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
    const enabled = await enable(db, actor.accountId, id, scope);
    await audit(context, {
      event: "subscription.enabled",
      targets: [{ type: "subscription", id }],
    });
    return enabled;
  },
});

/** It gets no events until it is enabled. Its open runs are held. */
export const disableSubscription = service({
  permission: "subscriptions:write",
  input: byId,
  portalInput: byId,
  run: async (context, { id }): Promise<SubscriptionRecord> => {
    const { db, actor } = context;
    const disabled = await disable(db, actor.accountId, id, recipientScope(actor));
    const targets = [{ type: "subscription", id }];
    await audit(context, { event: "subscription.disabled", targets });
    return disabled;
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
    await audit(context, {
      event: "subscription.checked",
      targets: [{ type: "subscription", id }],
    });
    return after;
  },
});
