"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { StatusChanged } from "#components/hooks/change-hook-status.ts";
import { deleteAction, updateAction } from "#lib/db/actions/actions.ts";
import { orderActions } from "#lib/db/actions/order-actions.ts";
import { countHookContents, type HookContents } from "#lib/db/hooks/hook-contents.ts";
import { rotateHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { deleteHook, setHookStatus, updateHook } from "#lib/db/hooks/hooks.ts";
import { actionPatchSchema } from "#lib/schema/action/action.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  type HookState,
  hookPatchSchema,
  hookStateSchema,
  secretRotationSchema,
} from "#lib/schema/hook.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { actionRules } from "#lib/web/services/action-rules.ts";

const orderSchema = z.strictObject({
  id: z.string().max(64),
  actionIds: z.array(z.uuid()).max(100),
});
const withId = { id: z.string().max(64) };
const statusSchema = z.strictObject({ ...withId, status: hookStateSchema });
const renameSchema = z.strictObject({ ...withId, name: hookPatchSchema.shape.name.unwrap() });
const rotationSchema = secretRotationSchema.extend(withId);
const enabledSchema = z.strictObject({
  ...withId,
  enabled: actionPatchSchema.shape.enabled.unwrap(),
});

export async function setHookStatusCommand(
  id: string,
  status: HookState,
): Promise<CommandResult<StatusChanged>> {
  return await runFormCommand(statusSchema, { id, status }, async (data, { accountId }, { db }) => {
    await setHookStatus(db, accountId, data.id, data.status);
    const { openRuns } = await countHookContents(db, accountId, data.id);
    revalidatePath("/", "layout");
    return { openRuns };
  });
}

/** What is deleted with it. */
export async function readHookContentsCommand(id: string): Promise<CommandResult<HookContents>> {
  return await runFormCommand(withId.id, id, (hookId, { accountId }, { db }) =>
    countHookContents(db, accountId, hookId),
  );
}

export async function renameHookCommand(id: string, name: string): Promise<CommandResult<null>> {
  return await runFormCommand(
    renameSchema,
    { id, name },
    async (data, { accountId }, { db, sealer }) => {
      await updateHook(db, accountId, data.id, { name: data.name }, sealer);
      revalidatePath("/", "layout");
      return null;
    },
  );
}

export async function rotateSecretCommand(
  id: string,
  rotation: { secret: string; expirePreviousAfterSeconds: number },
): Promise<CommandResult<{ warnings: readonly string[] }>> {
  const input = { ...Object(rotation), id };
  return await runFormCommand(
    rotationSchema,
    input,
    async (data, { accountId }, { db, sealer }) => {
      const { id: hookId, ...given } = data;
      const { warnings } = await rotateHookSecret(db, accountId, hookId, given, sealer);
      revalidatePath("/", "layout");
      return { warnings };
    },
  );
}

export async function deleteHookCommand(id: string): Promise<CommandResult<null>> {
  return await runFormCommand(withId.id, id, async (hookId, { accountId }, { db }) => {
    await deleteHook(db, accountId, hookId);
    revalidatePath("/", "layout");
    return null;
  });
}

export async function setActionEnabledCommand(
  id: string,
  enabled: boolean,
): Promise<CommandResult<null>> {
  const input = { id, enabled };
  return await runFormCommand(enabledSchema, input, async (data, { accountId, email }, context) => {
    const rules = actionRules(context, email);
    const change = { enabled: data.enabled };
    const { hookId } = await updateAction(context.db, accountId, data.id, change, rules);
    revalidatePath(`/hooks/${hookId}`);
    return null;
  });
}

export async function deleteActionCommand(id: string): Promise<CommandResult<null>> {
  return await runFormCommand(withId.id, id, async (actionId, { accountId }, { db }) => {
    await deleteAction(db, accountId, actionId);
    revalidatePath("/hooks/[id]", "page");
    return null;
  });
}

export async function orderActionsCommand(
  id: string,
  actionIds: readonly string[],
): Promise<CommandResult<null>> {
  return await runFormCommand(
    orderSchema,
    { id, actionIds },
    async (data, { accountId }, { db }) => {
      await orderActions(db, accountId, data.id, data.actionIds);
      revalidatePath("/hooks/[id]", "page");
      return null;
    },
  );
}
