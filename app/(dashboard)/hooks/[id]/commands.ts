"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { StatusChanged } from "#components/hooks/change-hook-status.ts";
import { deleteAction, updateAction } from "#lib/db/actions/actions.ts";
import { orderActions } from "#lib/db/actions/order-actions.ts";
import type { HookContents } from "#lib/db/hooks/hook-contents.ts";
import { actionPatchSchema } from "#lib/schema/action/action.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { HookState } from "#lib/schema/hook.ts";
import { actionRules } from "#lib/services/actions/action-rules.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { readHookContents } from "#lib/services/hooks/read-hooks.ts";
import { rotateHookSecret } from "#lib/services/hooks/rotate-hook-secret.ts";
import { changeHookStatus } from "#lib/services/hooks/set-hook-status.ts";
import { updateHook } from "#lib/services/hooks/update-hook.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";

const orderSchema = z.strictObject({
  id: z.string().max(64),
  actionIds: z.array(z.uuid()).max(100),
});
const withId = { id: z.string().max(64) };
const enabledSchema = z.strictObject({
  ...withId,
  enabled: actionPatchSchema.shape.enabled.unwrap(),
});

export async function setHookStatusCommand(
  id: string,
  status: HookState,
): Promise<CommandResult<StatusChanged>> {
  return await changeByService(changeHookStatus, { id, status }, ({ openRuns }) => ({ openRuns }));
}

/** What is deleted with it. */
export async function readHookContentsCommand(id: string): Promise<CommandResult<HookContents>> {
  return await askService(readHookContents, { id });
}

export async function renameHookCommand(id: string, name: string): Promise<CommandResult<null>> {
  return await changeByService(updateHook, { id, name }, nothing);
}

export async function rotateSecretCommand(
  id: string,
  rotation: { secret: string; expirePreviousAfterSeconds: number },
): Promise<CommandResult<{ warnings: readonly string[] }>> {
  const input = { ...rotation, id };
  return await changeByService(rotateHookSecret, input, ({ warnings }) => ({ warnings }));
}

export async function deleteHookCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteHook, { id }, nothing);
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
