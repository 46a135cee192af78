import { createMissingJob } from "#lib/db/events/missing-jobs.ts";
import { createBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { disableSubscription } from "#lib/db/subscriptions/subscription-status.ts";
import {
  deleteSubscription,
  getSubscription,
  rotateSubscriptionSecret,
} from "#lib/db/subscriptions/subscriptions.ts";
import {
  sinceSchema,
  subscriptionInputSchema,
  subscriptionPatchSchema,
  subscriptionQuerySchema,
  subscriptionSecretSchema,
  testEventSchema,
} from "#lib/schema/sender/subscription.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import {
  createCheckedSubscription,
  enableCheckedSubscription,
  updateCheckedSubscription,
} from "#lib/web/services/save-subscription.ts";
import { sendTestEvent } from "#lib/web/services/send-test-event.ts";
import { showNewSubscription, showSubscription } from "#lib/web/views/sender/show-subscription.ts";
import { showPage } from "#lib/web/views/show-page.ts";
import { showBulkJob } from "./bulk-jobs.ts";

export const postSubscription = endpoint({
  scope: "subscriptions:write",
  body: subscriptionInputSchema,
  exactNumbers: true,
  status: 201,
  handle: async ({ context, accountId, body }) =>
    showNewSubscription(await createCheckedSubscription(context, accountId, body), context.sealer),
});

export const getSubscriptions = endpoint({
  scope: "subscriptions:read",
  query: subscriptionQuerySchema,
  handle: async ({ context: { db, sealer }, accountId, query }) =>
    showPage(await listSubscriptions(db, accountId, query, query), (subscription) =>
      showSubscription(subscription, sealer),
    ),
});

export const getOneSubscription = endpoint({
  scope: "subscriptions:read",
  handle: async ({ context: { db, sealer }, accountId, id }) =>
    showSubscription(await getSubscription(db, accountId, id), sealer),
});

export const patchSubscription = endpoint({
  scope: "subscriptions:write",
  body: subscriptionPatchSchema,
  exactNumbers: true,
  handle: async ({ context, accountId, id, body }) =>
    showSubscription(await updateCheckedSubscription(context, accountId, id, body), context.sealer),
});

export const removeSubscription = endpoint({
  scope: "subscriptions:write",
  status: 204,
  handle: ({ context: { db }, accountId, id }) => deleteSubscription(db, accountId, id),
});

export const postSubscriptionSecret = endpoint({
  scope: "subscriptions:write",
  body: subscriptionSecretSchema,
  status: 201,
  handle: async ({ context: { db, sealer }, accountId, id, body }) =>
    showNewSubscription(
      await rotateSubscriptionSecret(db, accountId, id, body, { sealer }),
      sealer,
    ),
});

export const postTestEvent = endpoint({
  scope: "subscriptions:write",
  body: testEventSchema,
  status: 202,
  handle: ({ context, accountId, id, body }) => sendTestEvent(context, accountId, id, body),
});

export const postEnable = endpoint({
  scope: "subscriptions:write",
  handle: async ({ context, accountId, id }) =>
    showSubscription(await enableCheckedSubscription(context, accountId, id), context.sealer),
});

export const postDisable = endpoint({
  scope: "subscriptions:write",
  handle: async ({ context: { db, sealer }, accountId, id }) =>
    showSubscription(await disableSubscription(db, accountId, id), sealer),
});

/** Retries the failed sends. */
export const postRecover = endpoint({
  scope: "subscriptions:write",
  body: sinceSchema,
  status: 202,
  handle: async ({ context: { db }, accountId, id, body: { since } }) => {
    const subscription = await getSubscription(db, accountId, id);
    const filter = { status: "failed", subscriptionId: subscription.id, from: since } as const;
    return showBulkJob(await createBulkJob(db, accountId, "retry", filter));
  },
});

/** Sends the events that were never sent to it. */
export const postReplayMissing = endpoint({
  scope: "subscriptions:write",
  body: sinceSchema,
  status: 202,
  handle: async ({ context: { db }, accountId, id, body: { since } }) =>
    showBulkJob(await createMissingJob(db, accountId, id, since)),
});
