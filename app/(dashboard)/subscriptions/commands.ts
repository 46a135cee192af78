"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { parseInput } from "#lib/core/input/parse-input.ts";
import { dismissNotice } from "#lib/db/subscriptions/notices.ts";
import { disableSubscription } from "#lib/db/subscriptions/subscription-status.ts";
import {
  deleteSubscription,
  rotateSubscriptionSecret,
} from "#lib/db/subscriptions/subscriptions.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  subscriptionInputSchema,
  subscriptionPatchSchema,
  subscriptionSecretSchema,
} from "#lib/schema/sender/subscription.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { exactJson } from "#lib/web/request/exact-json.ts";
import {
  createCheckedSubscription,
  enableCheckedSubscription,
  updateCheckedSubscription,
} from "#lib/web/services/save-subscription.ts";

const idSchema = z.string().max(64);
const inputJson = exactJson(subscriptionInputSchema);
const patchJson = exactJson(subscriptionPatchSchema);

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
