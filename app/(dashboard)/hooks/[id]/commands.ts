"use server";

import type { StatusChanged } from "#components/hooks/change-hook-status.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { HookState } from "#lib/schema/receive/hook.ts";
import { deleteAction, orderActions, updateAction } from "#lib/services/actions/write-actions.ts";
import { rotateHookSecret } from "#lib/services/hooks/hook-secrets.ts";
import { readHookContents } from "#lib/services/hooks/read-hooks.ts";
import { changeHookStatus, deleteHook, updateHook } from "#lib/services/hooks/write-hooks.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function setHookStatusCommand(
  id: string,
  status: HookState,
): Promise<CommandResult<StatusChanged>> {
  return await changeByService(changeHookStatus, { id, status }, ({ openRuns }) => ({ openRuns }));
}

/** Counts what is deleted with the hook. */
export async function readHookContentsCommand(id: string) {
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
  return await changeByService(updateAction, { id, enabled }, nothing);
}

export async function deleteActionCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteAction, { id }, nothing);
}

export async function orderActionsCommand(
  id: string,
  actionIds: readonly string[],
): Promise<CommandResult<null>> {
  return await changeByService(orderActions, { id, actionIds: actionIds as string[] }, nothing);
}
