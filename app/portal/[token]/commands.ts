"use server";

import type { PlotsView } from "#components/plots/plot-view.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActivityRange } from "#lib/schema/watch/activity.ts";
import { readSendActivity } from "#lib/services/activity.ts";
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
import { nothing } from "#lib/web/auth/run-service.ts";
import { toPlots } from "#lib/web/plots.ts";
import { askPortalService, runPortalCommand } from "#lib/web/portal/run-portal-command.ts";

/** The token is the credential of each command: `lib/web/portal/call-portal.ts` checks it. */

export async function createInPortal(token: string, input: object) {
  return await runPortalCommand(createSubscription, token, input, (created) => ({
    id: created.subscription.id,
    secret: created.secret,
    firstId: created.firstId,
    isPending: created.subscription.status === "pending",
  }));
}

export async function updateInPortal(token: string, id: string, patch: object) {
  return await runPortalCommand(updateSubscription, token, { ...patch, id }, (changed) => ({
    isPending: changed.status === "pending",
    firstId: changed.firstId,
  }));
}

export async function checkInPortal(token: string, id: string) {
  return await runPortalCommand(checkReceiver, token, { id }, nothing);
}

export async function rotateInPortal(token: string, id: string, rotation: object) {
  const input = { ...rotation, id };
  return await runPortalCommand(rotateSubscriptionSecret, token, input, ({ secret }) => ({
    secret,
  }));
}

export async function enableInPortal(token: string, id: string) {
  return await runPortalCommand(enableSubscription, token, { id }, nothing);
}

export async function disableInPortal(token: string, id: string) {
  return await runPortalCommand(disableSubscription, token, { id }, nothing);
}

export async function removeInPortal(token: string, id: string) {
  return await runPortalCommand(deleteSubscription, token, { id }, nothing);
}

export async function testInPortal(token: string, id: string, eventType: string) {
  const input = eventType === "" ? { id } : { eventType, id };
  return await runPortalCommand(sendTestEvent, token, input, ({ runId }) => ({ runId }));
}

export async function resendInPortal(token: string, runId: string) {
  return await runPortalCommand(resendRun, token, { id: runId }, (resent) => resent);
}

export async function recoverInPortal(token: string, id: string, since: string) {
  return await runPortalCommand(recover, token, { id, since }, nothing);
}

export async function replayMissingInPortal(token: string, id: string, since: string) {
  return await runPortalCommand(replayMissing, token, { id, since }, nothing);
}

export async function readSendPlotsInPortal(
  token: string,
  id: string,
  range: ActivityRange,
): Promise<CommandResult<PlotsView>> {
  const input = { id, range };
  return await askPortalService(readSendActivity, token, input, (sent) => toPlots(sent, range));
}
