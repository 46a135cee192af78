"use server";

import type { ResolveStep } from "#lib/schema/act/run.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { applyFix } from "#lib/services/deliveries/apply-fix.ts";
import { deleteDelivery } from "#lib/services/deliveries/change-deliveries.ts";
import { replayDelivery } from "#lib/services/deliveries/replay-deliveries.ts";
import { cancelRun, resolveStep, retryRun } from "#lib/services/runs.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";

/** Replays a delivery. Returns the number of queued runs. */
export async function replayCommand(
  id: string,
  actionIds: readonly string[],
): Promise<CommandResult<number>> {
  const input = { id, actionIds: actionIds as string[] };
  return await changeByService(replayDelivery, input, (runs) => runs.length);
}

/** Deletes a delivery. No page is read again, because the one that asks for it is gone. */
export async function deleteDeliveryCommand(id: string): Promise<CommandResult<null>> {
  const deleted = await askService(deleteDelivery, { id });
  return deleted.ok ? { ok: true, value: null } : deleted;
}

export async function retryRunCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(retryRun, { id }, nothing);
}

export async function retryFromCommand(id: string, fromStep: string): Promise<CommandResult<null>> {
  return await changeByService(retryRun, { id, fromStep }, nothing);
}

export async function resolveStepCommand(
  id: string,
  decision: ResolveStep,
): Promise<CommandResult<null>> {
  return await changeByService(resolveStep, { ...decision, id }, nothing);
}

export async function cancelRunCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(cancelRun, { id }, nothing);
}

export async function applyFixCommand(id: string, code: string): Promise<CommandResult<null>> {
  return await changeByService(applyFix, { id, code }, nothing);
}
