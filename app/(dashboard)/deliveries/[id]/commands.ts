"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { replayDelivery } from "#lib/db/replay-delivery.ts";
import { cancelRun, retryRun } from "#lib/db/runs.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { runFormCommand } from "#lib/web/form-command.ts";

const idSchema = z.string().max(64);

export async function replayCommand(deliveryId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, deliveryId, async (id, { accountId }, { db }) => {
    await replayDelivery(db, accountId, id, {});
    revalidatePath(`/deliveries/${id}`);
    return null;
  });
}

export async function retryRunCommand(runId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, runId, async (id, { accountId }, { db }) => {
    const { deliveryId } = await retryRun(db, accountId, id);
    revalidatePath(`/deliveries/${deliveryId}`);
    return null;
  });
}

export async function cancelRunCommand(runId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, runId, async (id, { accountId }, { db }) => {
    const { deliveryId } = await cancelRun(db, accountId, id);
    revalidatePath(`/deliveries/${deliveryId}`);
    return null;
  });
}
