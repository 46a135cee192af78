"use server";

import { readSendActivity } from "#lib/services/activity.ts";
import { recover, replayMissing } from "#lib/services/subscriptions/recover.ts";
import { rotateSubscriptionSecret } from "#lib/services/subscriptions/subscription-secrets.ts";
import {
  disableSubscription,
  dismissNotice,
  enableSubscription,
} from "#lib/services/subscriptions/subscription-status.ts";
import { sendTestEvent, tallyEventFilter } from "#lib/services/subscriptions/try-subscription.ts";
import { checkTransform, previewTransform } from "#lib/services/subscriptions/try-transform.ts";
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { ask, change, json } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";
import { toPlots } from "#lib/web/plots.ts";

export const createSubscriptionCommand = change(
  createSubscription,
  [json],
  ({ subscription, secret, firstId }) => ({ id: subscription.id, secret, firstId }),
);
export const saveSubscriptionCommand = change(updateSubscription, ["id", json], ({ firstId }) => ({
  firstId,
}));
export const enableSubscriptionCommand = change(enableSubscription, ["id"]);
export const disableSubscriptionCommand = change(disableSubscription, ["id"]);
export const deleteSubscriptionCommand = change(deleteSubscription, ["id"]);
/** Rotates the secret. Returns the new one, which isn't shown again. */
export const rotateSubscriptionSecretCommand = change(
  rotateSubscriptionSecret,
  ["id", "..."],
  ({ secret }) => ({ secret }),
);
/** Counts how many of the latest events match the filter; null: there is no filter. */
export const tallyEventFilterCommand = ask(tallyEventFilter, [json]);
/** Shows what a transform makes of an event. */
export const previewTransformCommand = ask(previewTransform, [json]);
/** Tries a transform on stored events. */
export const checkTransformCommand = ask(checkTransform, [json]);
export const dismissNoticeCommand = change(dismissNotice, ["id"]);
/** Sends an example event to one subscription. */
export const sendTestEventCommand = change(sendTestEvent, ["id", "eventType"], ({ eventId }) => ({
  eventId,
}));
/** Retries the failed sends since a time, in the background. */
export const recoverCommand = change(recover, ["id", "since", readLimits]);
/** Sends a subscription the events since a time that it never got, in the background. */
export const replayMissingCommand = change(replayMissing, ["id", "since", readLimits]);

export const readSendPlotsCommand = ask(readSendActivity, ["id", "range"], (sent, { range }) =>
  toPlots(sent, range),
);
