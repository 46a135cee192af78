"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { HookChange } from "#components/hook-settings/save-hook.ts";
import { updateHookSchema } from "#lib/core/hook/hook-input.ts";
import { expireHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { updateHook } from "#lib/db/hooks/hooks.ts";
import { endPreviousCatchUrls, rotateCatchUrl } from "#lib/db/hooks/rotate-catch-url.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { catchUrlRotationSchema, dedupeRuleSchema, eventTypeRuleSchema } from "#lib/schema/hook.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import {
  checkDedupe,
  checkEventType,
  type IdentityCheck,
} from "#lib/web/services/check-identity.ts";

const hookId = z.string().max(64);
const changeSchema = updateHookSchema.extend({ hookId });
const urlRotationSchema = catchUrlRotationSchema.extend({ hookId });
const expirySchema = z.strictObject({ hookId, secretId: z.uuid() });
const checkSchema = z.discriminatedUnion("what", [
  z.strictObject({ hookId, what: z.literal("dedupe"), rule: dedupeRuleSchema }),
  z.strictObject({ hookId, what: z.literal("eventType"), rule: eventTypeRuleSchema }),
]);

export async function saveHookCommand(
  id: string,
  change: HookChange,
): Promise<CommandResult<null>> {
  const input = { ...Object(change), hookId: id };
  return await runFormCommand(changeSchema, input, async (data, { accountId }, { db, sealer }) => {
    const { hookId: changed, ...patch } = data;
    await updateHook(db, accountId, changed, patch, sealer);
    revalidatePath("/", "layout");
    return null;
  });
}

export async function expireSecretCommand(
  id: string,
  secretId: string,
): Promise<CommandResult<null>> {
  return await runFormCommand(
    expirySchema,
    { hookId: id, secretId },
    async (data, { accountId }, { db }) => {
      await expireHookSecret(db, accountId, data.hookId, data.secretId);
      revalidatePath("/", "layout");
      return null;
    },
  );
}

export async function rotateCatchUrlCommand(
  id: string,
  rotation: { readonly keyPrefix?: string; readonly expirePreviousAfterSeconds: number },
): Promise<CommandResult<null>> {
  const input = { ...Object(rotation), hookId: id };
  return await runFormCommand(urlRotationSchema, input, async (data, { accountId }, { db }) => {
    const { hookId: rotated, ...given } = data;
    await rotateCatchUrl(db, accountId, rotated, given);
    revalidatePath("/", "layout");
    return null;
  });
}

export async function endPreviousCatchUrlsCommand(id: string): Promise<CommandResult<null>> {
  return await runFormCommand(hookId, id, async (ended, { accountId }, { db }) => {
    await endPreviousCatchUrls(db, accountId, ended);
    revalidatePath("/", "layout");
    return null;
  });
}

/** What an unsaved rule would have found in the latest deliveries. */
export async function checkIdentityCommand(
  id: string,
  what: "dedupe" | "eventType",
  rule: unknown,
): Promise<CommandResult<IdentityCheck>> {
  const input = { hookId: id, what, rule };
  return await runFormCommand(checkSchema, input, async (data, { accountId }, context) =>
    data.what === "dedupe"
      ? await checkDedupe(context, accountId, data.hookId, data.rule)
      : await checkEventType(context, accountId, data.hookId, data.rule),
  );
}
