import { readLastSends } from "#lib/db/subscriptions/last-sends.ts";
import { listSubscriptions as findSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { readPublicKeys as findPublicKeys } from "#lib/db/subscriptions/subscription-secrets.ts";
import { getSubscription as findSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { byId } from "#lib/schema/field/common.ts";
import { subscriptionQuerySchema } from "#lib/schema/send/subscription.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

export {
  type SubscriptionRecord,
  writeStatusReason,
} from "#lib/db/subscriptions/subscription-record.ts";

/** Throws `not_found` if it is deleted or another account's. */
export const getSubscription = service({
  permission: "subscriptions:read",
  input: byId,
  run: ({ db, actor }, { id }) => findSubscription(db, actor.accountId, id),
});

/** The account's subscriptions, newest first. */
export const listSubscriptions = service({
  permission: "subscriptions:read",
  input: subscriptionQuerySchema,
  run: ({ db, actor }, query) => findSubscriptions(db, actor.accountId, query, query),
});

/** The same, each with its newest send. */
export const listSubscriptionRows = service({
  permission: "subscriptions:read",
  input: subscriptionQuerySchema,
  run: async ({ db, actor }, query) => {
    const page = await findSubscriptions(db, actor.accountId, query, query);
    const ids = page.items.map(({ id }) => id);
    const sends = await readLastSends(db, actor.accountId, ids);
    const items = page.items.map((item) => ({ ...item, last: sends.get(item.id) ?? null }));
    return { items, nextCursor: page.nextCursor };
  },
});

/** The public keys that a subscription signs with now, for everyone. Null: it has none. */
export async function readPublicKeys({ db }: ServiceParts, id: string) {
  return await findPublicKeys(db, id);
}
