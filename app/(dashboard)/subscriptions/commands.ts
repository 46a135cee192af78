"use server";

import type { LimitInput } from "#components/lists/limit-input.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { FilterTally } from "#lib/services/actions/tally-filter.ts";
import { recover, replayMissing } from "#lib/services/subscriptions/recover.ts";
import { rotateSubscriptionSecret } from "#lib/services/subscriptions/subscription-secrets.ts";
import {
  disableSubscription,
  dismissNotice,
  enableSubscription,
} from "#lib/services/subscriptions/subscription-status.ts";
import { sendTestEvent, tallyEventFilter } from "#lib/services/subscriptions/try-subscription.ts";
import {
  createSubscription,
  deleteSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { askByJson, changeByJson, changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";

export async function createSubscriptionCommand(
  json: string,
): Promise<
  CommandResult<{ readonly id: string; readonly secret: string; readonly firstId: string | null }>
> {
  return await changeByJson(createSubscription, { json }, (created) => ({
    id: created.subscription.id,
    secret: created.secret,
    firstId: created.firstId,
  }));
}

export async function saveSubscriptionCommand(
  subscriptionId: string,
  json: string,
): Promise<CommandResult<{ readonly firstId: string | null }>> {
  const input = { json, fields: { id: subscriptionId } };
  return await changeByJson(updateSubscription, input, ({ firstId }) => ({ firstId }));
}

/** Counts how many of the latest events match the filter; null: there is no filter. */
export async function tallyEventFilterCommand(
  json: string,
): Promise<CommandResult<FilterTally | null>> {
  return await askByJson(tallyEventFilter, { json });
}

export async function enableSubscriptionCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(enableSubscription, { id }, nothing);
}

export async function disableSubscriptionCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(disableSubscription, { id }, nothing);
}

export async function deleteSubscriptionCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteSubscription, { id }, nothing);
}

/** Rotates the secret. Returns the new one, which isn't shown again. */
export async function rotateSubscriptionSecretCommand(
  id: string,
  rotation: { secret?: string; expirePreviousAfterSeconds: number },
): Promise<CommandResult<{ readonly secret: string }>> {
  const input = { ...rotation, id };
  return await changeByService(rotateSubscriptionSecret, input, ({ secret }) => ({ secret }));
}

export async function dismissNoticeCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(dismissNotice, { id }, nothing);
}

/** Sends an example event to one subscription. */
export async function sendTestEventCommand(
  id: string,
  eventType: string,
): Promise<CommandResult<{ readonly eventId: string }>> {
  const input = eventType === "" ? { id } : { id, eventType };
  return await changeByService(sendTestEvent, input, ({ eventId }) => ({ eventId }));
}

/** Retries the failed sends since a time, in the background. */
export async function recoverCommand(
  id: string,
  since: string,
  limits: LimitInput,
): Promise<CommandResult<null>> {
  return await changeByService(recover, { id, since, ...readLimits(limits) }, nothing);
}

/** Sends a subscription the events since a time that it never got, in the background. */
export async function replayMissingCommand(
  id: string,
  since: string,
  limits: LimitInput,
): Promise<CommandResult<null>> {
  return await changeByService(replayMissing, { id, since, ...readLimits(limits) }, nothing);
}
