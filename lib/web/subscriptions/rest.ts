import { z } from "zod";
import {
  getSubscription,
  listSubscriptions,
} from "#lib/services/subscriptions/read-subscriptions.ts";
import { recover, replayMissing } from "#lib/services/subscriptions/recover.ts";
import { rotateSubscriptionSecret } from "#lib/services/subscriptions/subscription-secrets.ts";
import {
  disableSubscription,
  enableSubscription,
} from "#lib/services/subscriptions/subscription-status.ts";
import { sendTestEvent } from "#lib/services/subscriptions/try-subscription.ts";
import { checkTransform, type TransformCheck } from "#lib/services/subscriptions/try-transform.ts";
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { bulkJobView } from "#lib/web/bulk-jobs/bulk-job-view.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { asIs, pageView, view } from "#lib/web/route/view.ts";
import {
  createdSubscriptionView,
  newSubscriptionView,
  subscriptionView,
  updatedSubscriptionView,
} from "./subscription-view.ts";

const testEventSchema = z
  .object({ eventId: z.string(), runId: z.string(), type: z.string() })
  .meta({ id: "SentTestEvent" });

const place = z.int().nullable().describe("From 1; null: unknown");
const transformCheckSchema = z
  .object({
    checked: z.int().describe("The newest stored events that it ran on, up to 100"),
    failed: z.int(),
    skipped: z.int().describe("Those that it returned null for"),
    failures: z
      .array(
        z.object({
          eventId: z.string(),
          type: z.string(),
          message: z.string(),
          line: place,
          column: place,
        }),
      )
      .describe("The newest ones that it fails for, up to 20"),
  })
  .meta({ id: "TransformCheck" });

const transformCheckView = view(
  transformCheckSchema,
  ({ failures, ...counts }: TransformCheck) => ({
    ...counts,
    failures: [...failures],
  }),
);

export const subscriptionRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/subscriptions",
    operationId: "createSubscription",
    summary: "Create a subscription",
    description: "The response has its `secret`, which is only shown here and after a rotation.",
    service: createSubscription,
    errors: ["template_invalid"],
    status: 201,
    view: createdSubscriptionView,
    exactNumbers: true,
    example: { receiverUrl: "https://example.com/webhooks", eventTypes: ["invoice.*"] },
  }),
  route({
    method: "POST",
    path: "/subscriptions/check-transform",
    operationId: "checkTransform",
    summary: "Try a transform on stored events",
    description: "On the newest that a subscription would have got. Sends nothing.",
    service: checkTransform,
    errors: ["template_invalid"],
    view: transformCheckView,
    exactNumbers: true,
    example: {
      transform: "export default ({ payload }) => ({ text: 'Paid: ' + payload.data.amount })",
      eventTypes: ["invoice.paid"],
    },
  }),
  route({
    method: "GET",
    path: "/subscriptions",
    operationId: "listSubscriptions",
    summary: "List subscriptions",
    service: listSubscriptions,
    view: pageView(subscriptionView),
  }),
  exportRoute({
    list: "/subscriptions",
    operationId: "exportSubscriptions",
    summary: "Export subscriptions",
    service: listSubscriptions,
    view: subscriptionView,
  }),
  route({
    method: "GET",
    path: "/subscriptions/{id}",
    operationId: "getSubscription",
    summary: "Get a subscription",
    service: getSubscription,
    view: subscriptionView,
  }),
  route({
    method: "PATCH",
    path: "/subscriptions/{id}",
    operationId: "updateSubscription",
    summary: "Change a subscription",
    description: "Changes the given fields.",
    service: updateSubscription,
    errors: ["template_invalid"],
    view: updatedSubscriptionView,
    exactNumbers: true,
    example: { description: "Billing" },
  }),
  route({
    method: "DELETE",
    path: "/subscriptions/{id}",
    operationId: "deleteSubscription",
    summary: "Delete a subscription",
    description:
      "Deletes its secrets and headers, and cancels its open sends. Its sends are no longer shown.",
    service: deleteSubscription,
    view: null,
  }),
  route({
    method: "POST",
    path: "/subscriptions/{id}/secrets",
    operationId: "rotateSubscriptionSecret",
    summary: "Rotate the signing secret",
    description:
      "Returns the new `secret`. Previous ones sign too for " +
      "`expirePreviousAfterSeconds`: default 86400, at most 604800, 0 ends them now.",
    service: rotateSubscriptionSecret,
    status: 201,
    view: newSubscriptionView,
    example: { expirePreviousAfterSeconds: 3600 },
  }),
  route({
    method: "POST",
    path: "/subscriptions/{id}/test",
    operationId: "sendTestEvent",
    summary: "Send a test event to a subscription",
    description: "Only to this one. Its data is the example of its type in the catalog.",
    service: sendTestEvent,
    status: 202,
    view: asIs(testEventSchema),
    example: { eventType: "invoice.paid" },
  }),
  route({
    method: "POST",
    path: "/subscriptions/{id}/enable",
    operationId: "enableSubscription",
    summary: "Enable a subscription",
    description:
      "Starts its held sends. A pending one gets its challenge again, and 409 says why it stays pending.",
    service: enableSubscription,
    view: subscriptionView,
  }),
  route({
    method: "POST",
    path: "/subscriptions/{id}/disable",
    operationId: "disableSubscription",
    summary: "Disable a subscription",
    description: "It gets no events, and its open sends are held.",
    service: disableSubscription,
    view: subscriptionView,
  }),
  route({
    method: "POST",
    path: "/subscriptions/{id}/recover",
    operationId: "recoverSubscription",
    summary: "Retry the failed sends of a subscription",
    description: "Those created since `since`, in the background.",
    service: recover,
    status: 202,
    view: bulkJobView,
    example: { since: "2026-11-21" },
  }),
  route({
    method: "POST",
    path: "/subscriptions/{id}/replay-missing",
    operationId: "replayMissing",
    summary: "Send a subscription what it was never sent",
    description: "The events since `since` that match it, oldest first, in the background.",
    service: replayMissing,
    status: 202,
    view: bulkJobView,
    example: { since: "2026-11-21" },
  }),
];
