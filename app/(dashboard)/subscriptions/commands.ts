"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { parseInput } from "#lib/core/input/parse-input.ts";
import { createMissingJob } from "#lib/db/events/missing-jobs.ts";
import { cancelBulkJob, createBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { dismissNotice } from "#lib/db/subscriptions/notices.ts";
import { disableSubscription } from "#lib/db/subscriptions/subscription-status.ts";
import {
  deleteSubscription,
  getSubscription,
  rotateSubscriptionSecret,
} from "#lib/db/subscriptions/subscriptions.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  sinceSchema,
  subscriptionInputSchema,
  subscriptionPatchSchema,
  subscriptionSecretSchema,
  testEventSchema,
} from "#lib/schema/sender/subscription.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { exactJson } from "#lib/web/request/exact-json.ts";
import {
  createCheckedSubscription,
  enableCheckedSubscription,
  updateCheckedSubscription,
} from "#lib/web/services/save-subscription.ts";
import { sendTestEvent } from "#lib/web/services/send-test-event.ts";
import { tallyEventFilter } from "#lib/web/services/tally-event-filter.ts";
import type { FilterTally } from "#lib/web/services/tally-filter.ts";

const idSchema = z.string().max(64);
const inputJson = exactJson(subscriptionInputSchema);
const patchJson = exactJson(subscriptionPatchSchema);
const filterJson = exactJson(
  subscriptionInputSchema.pick({ recipient: true, eventTypes: true, filter: true }),
);

export async function createSubscriptionCommand(
  json: string,
): Promise<CommandResult<{ readonly id: string; readonly secret: string }>> {
  return await runFormCommand(inputJson, json, async (input, { accountId }, context) => {
    const { subscription, secret } = await createCheckedSubscription(context, accountId, input);
    revalidatePath("/", "layout");
    return { id: subscription.id, secret };
  });
}

export async function saveSubscriptionCommand(
  subscriptionId: string,
  json: string,
): Promise<CommandResult<null>> {
  return await runFormCommand(patchJson, json, async (patch, { accountId }, context) => {
    const id = parseInput(idSchema, subscriptionId);
    await updateCheckedSubscription(context, accountId, id, patch);
    revalidatePath("/", "layout");
    return null;
  });
}

/** How many of the latest events the filter lets through; null: there is no filter. */
export async function tallyEventFilterCommand(
  json: string,
): Promise<CommandResult<FilterTally | null>> {
  return await runFormCommand(filterJson, json, async ({ filter, ...of }, user, context) =>
    filter === null ? null : await tallyEventFilter(context, user.accountId, { ...of, filter }),
  );
}

export async function enableSubscriptionCommand(id: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, id, async (enabled, { accountId }, context) => {
    await enableCheckedSubscription(context, accountId, enabled);
    revalidatePath("/", "layout");
    return null;
  });
}

export async function disableSubscriptionCommand(id: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, id, async (disabled, { accountId }, { db }) => {
    await disableSubscription(db, accountId, disabled);
    revalidatePath("/", "layout");
    return null;
  });
}

export async function deleteSubscriptionCommand(id: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, id, async (deleted, { accountId }, { db }) => {
    await deleteSubscription(db, accountId, deleted);
    revalidatePath("/", "layout");
    return null;
  });
}

/** The new secret, which isn't shown again. */
export async function rotateSubscriptionSecretCommand(
  subscriptionId: string,
  rotation: { secret?: string; expirePreviousAfterSeconds: number },
): Promise<CommandResult<{ readonly secret: string }>> {
  return await runFormCommand(
    subscriptionSecretSchema,
    rotation,
    async (input, { accountId }, { db, sealer }) => {
      const id = parseInput(idSchema, subscriptionId);
      const { secret } = await rotateSubscriptionSecret(db, accountId, id, input, { sealer });
      revalidatePath("/subscriptions", "layout");
      return { secret };
    },
  );
}

export async function dismissNoticeCommand(noticeId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, noticeId, async (id, { accountId }, { db }) => {
    await dismissNotice(db, accountId, id);
    revalidatePath("/");
    return null;
  });
}

const testSchema = testEventSchema.extend({ id: idSchema });
const jobSchema = sinceSchema.extend({ id: idSchema });

/** Sends an example event to one subscription. */
export async function sendTestEventCommand(
  subscriptionId: string,
  eventType: string,
): Promise<CommandResult<{ readonly eventId: string }>> {
  const input = { id: subscriptionId, ...(eventType !== "" && { eventType }) };
  return await runFormCommand(
    testSchema,
    input,
    async ({ id, ...test }, { accountId }, context) => {
      const { eventId } = await sendTestEvent(context, accountId, id, test);
      revalidatePath("/subscriptions", "layout");
      return { eventId };
    },
  );
}

/** Retries the failed sends since then, in the background. */
export async function recoverCommand(
  subscriptionId: string,
  since: string,
): Promise<CommandResult<null>> {
  const input = { id: subscriptionId, since };
  return await runFormCommand(jobSchema, input, async (data, { accountId }, { db }) => {
    const { id } = await getSubscription(db, accountId, data.id);
    const filter = { status: "failed", subscriptionId: id, from: data.since } as const;
    await createBulkJob(db, accountId, "retry", filter);
    revalidatePath("/subscriptions", "layout");
    return null;
  });
}

/** Sends the events since then that were never sent to it, in the background. */
export async function replayMissingCommand(
  subscriptionId: string,
  since: string,
): Promise<CommandResult<null>> {
  const input = { id: subscriptionId, since };
  return await runFormCommand(jobSchema, input, async (data, { accountId }, { db }) => {
    await createMissingJob(db, accountId, data.id, data.since);
    revalidatePath("/subscriptions", "layout");
    return null;
  });
}

export async function cancelJobCommand(jobId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, jobId, async (id, { accountId }, { db }) => {
    await cancelBulkJob(db, accountId, id);
    revalidatePath("/subscriptions", "layout");
    return null;
  });
}
