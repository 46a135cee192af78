import { z } from "zod";
import { listActions } from "#lib/db/actions/actions.ts";
import { readTargetActivity, type TargetActivity } from "#lib/db/overview/target-activity.ts";
import { getSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { activityRange } from "#lib/schema/watch/activity.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { service } from "#lib/services/frame/service.ts";

export type { TargetActivity } from "#lib/db/overview/target-activity.ts";

/** The maximum number of actions of a hook. */
const maxActions = 100;

/** The runs of an action, or of all actions of a hook, over time. */
export const readRunActivity = service({
  permission: "deliveries:read",
  input: z.strictObject({
    of: z.union([z.strictObject({ actionId: recordId }), z.strictObject({ hookId: recordId })]),
    range: activityRange,
  }),
  run: async ({ db, actor }, { of, range }): Promise<TargetActivity> => {
    const { accountId } = actor;
    if ("actionId" in of) return await readTargetActivity(db, accountId, [of.actionId], range);
    const { items } = await listActions(db, accountId, of.hookId, { limit: maxActions });
    const ids = items.map(({ id }) => id);
    return await readTargetActivity(db, accountId, ids, range);
  },
});

const ofSubscription = z.strictObject({ id: recordId, range: activityRange });

/** The sends of a subscription over time. */
export const readSendActivity = service({
  permission: "events:read",
  input: ofSubscription,
  portalInput: ofSubscription,
  run: async ({ db, actor }, { id, range }): Promise<TargetActivity> => {
    const subscription = await getSubscription(db, actor.accountId, id, recipientScope(actor));
    return await readTargetActivity(db, actor.accountId, [subscription.id], range);
  },
});
