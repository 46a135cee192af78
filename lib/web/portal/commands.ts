"use server";

import { readSendActivity } from "#lib/services/activity.ts";
import { addRecipientEmail, removeRecipientEmail } from "#lib/services/alerts/recipient-emails.ts";
import { resendRun } from "#lib/services/events/resend-event.ts";
import { recover, replayMissing } from "#lib/services/subscriptions/recover.ts";
import { rotateSubscriptionSecret } from "#lib/services/subscriptions/subscription-secrets.ts";
import {
  checkReceiver,
  disableSubscription,
  enableSubscription,
} from "#lib/services/subscriptions/subscription-status.ts";
import { sendTestEvent } from "#lib/services/subscriptions/try-subscription.ts";
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { form } from "#lib/web/auth/run-service.ts";
import { toPlots } from "#lib/web/plots.ts";
import { askInPortal, changeInPortal } from "#lib/web/portal/run-portal-command.ts";

/** The token is the credential of each command: `lib/web/portal/call-portal.ts` checks it. */

export const createInPortal = changeInPortal(createSubscription, [form], (created) => ({
  id: created.subscription.id,
  secret: created.secret,
  firstId: created.firstId,
  isPending: created.subscription.status === "pending",
}));
export const updateInPortal = changeInPortal(
  updateSubscription,
  ["id", form],
  ({ status, firstId }) => ({ isPending: status === "pending", firstId }),
);
export const checkInPortal = changeInPortal(checkReceiver, ["id"]);
export const rotateInPortal = changeInPortal(
  rotateSubscriptionSecret,
  ["id", "..."],
  ({ secret }) => ({ secret }),
);
export const enableInPortal = changeInPortal(enableSubscription, ["id"]);
export const disableInPortal = changeInPortal(disableSubscription, ["id"]);
export const removeInPortal = changeInPortal(deleteSubscription, ["id"]);
export const testInPortal = changeInPortal(sendTestEvent, ["id", "eventType"], ({ runId }) => ({
  runId,
}));
export const resendInPortal = changeInPortal(resendRun, ["id"], (resent) => resent);
export const recoverInPortal = changeInPortal(recover, ["id", "since"]);
export const replayMissingInPortal = changeInPortal(replayMissing, ["id", "since"]);
export const addEmailInPortal = changeInPortal(addRecipientEmail, [form]);
export const removeEmailInPortal = changeInPortal(removeRecipientEmail, ["id"]);
export const readSendPlotsInPortal = askInPortal(
  readSendActivity,
  ["id", "range"],
  (sent, { range }) => toPlots(sent, range),
);
