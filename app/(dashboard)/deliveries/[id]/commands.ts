"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { deleteDelivery } from "#lib/db/deliveries/delete-delivery.ts";
import { replayDelivery } from "#lib/db/deliveries/replay-delivery.ts";
import { retryRun } from "#lib/db/runs/retry-run.ts";
import { resolveStep } from "#lib/db/runs/run-steps.ts";
import { cancelRun } from "#lib/db/runs/runs.ts";
import { replaySchema } from "#lib/schema/delivery.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ResolveStep, resolveStepSchema } from "#lib/schema/run.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

const idSchema = z.string().max(64);

const replayCommandSchema = z.strictObject({
  id: idSchema,
  actionIds: replaySchema.shape.actionIds.unwrap(),
});

/** How many runs were queued. */
export async function replayCommand(
  deliveryId: string,
  actionIds: readonly string[],
): Promise<CommandResult<number>> {
  const input = { id: deliveryId, actionIds };
  return await runFormCommand(
    replayCommandSchema,
    input,
    async ({ id, ...chosen }, { accountId }, { db }) => {
      const runIds = await replayDelivery(db, accountId, id, chosen);
      revalidatePath(`/deliveries/${id}`);
      return runIds.length;
    },
  );
}

export async function deleteDeliveryCommand(deliveryId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, deliveryId, async (id, { accountId }, { db }) => {
    await deleteDelivery(db, accountId, id);
    return null;
  });
}

export async function retryRunCommand(runId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, runId, async (id, { accountId }, { db }) => {
    revalidateRun(await retryRun(db, accountId, id));
    return null;
  });
}

const retryFromSchema = z.strictObject({ runId: idSchema, fromStep: z.string().max(40) });

export async function retryFromCommand(
  runId: string,
  fromStep: string,
): Promise<CommandResult<null>> {
  const input = { runId, fromStep };
  return await runFormCommand(
    retryFromSchema,
    input,
    async ({ runId: id, ...from }, { accountId }, { db }) => {
      revalidateRun(await retryRun(db, accountId, id, from));
      return null;
    },
  );
}

const resolveCommandSchema = z.strictObject({ runId: idSchema, ...resolveStepSchema.shape });

export async function resolveStepCommand(
  runId: string,
  decision: ResolveStep,
): Promise<CommandResult<null>> {
  const input = { runId, ...decision };
  return await runFormCommand(
    resolveCommandSchema,
    input,
    async ({ runId: id, ...decided }, { accountId }, { db }) => {
      revalidateRun(await resolveStep(db, accountId, id, decided));
      return null;
    },
  );
}

export async function cancelRunCommand(runId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, runId, async (id, { accountId }, { db }) => {
    revalidateRun(await cancelRun(db, accountId, id));
    return null;
  });
}

/** A send has no delivery. */
function revalidateRun({ deliveryId }: { readonly deliveryId: string | null }): void {
  if (deliveryId === null) revalidatePath("/events", "layout");
  else revalidatePath(`/deliveries/${deliveryId}`);
}
