import { z } from "zod";
import { listSubscriptions as findSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { getSubscription as findSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { subscriptionQuerySchema } from "#lib/schema/sender/subscription.ts";
import { service } from "#lib/services/frame/service.ts";

/** Throws `not_found` if it is deleted or another account's. */
export const getSubscription = service({
  permission: "subscriptions:read",
  input: z.strictObject({ id: recordId }),
  run: ({ db, actor }, { id }) => findSubscription(db, actor.accountId, id),
});

/** The account's subscriptions, newest first. */
export const listSubscriptions = service({
  permission: "subscriptions:read",
  input: subscriptionQuerySchema,
  run: ({ db, actor }, query) => findSubscriptions(db, actor.accountId, query, query),
});
