"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { countRejected, createAcceptJob } from "#lib/db/deliveries/accept-jobs.ts";
import { cancelBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { acceptDelivery } from "#lib/evaluate/stored/accept-delivery.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { withEvaluationParts } from "#lib/services/evaluation/evaluation-parts.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { readAcceptFilter } from "#lib/web/pages/read-accept-filter.ts";

const idSchema = z.string().max(64);
/** The filters of a list, as in its URL. */
const valuesSchema = z.record(z.string().max(20), z.string().max(1_100));
type Values = Readonly<Record<string, string>>;

export async function acceptCommand(
  deliveryId: string,
): Promise<CommandResult<"accepted" | "duplicate">> {
  return await runFormCommand(idSchema, deliveryId, async (id, { accountId }, context) => {
    const outcome = await withEvaluationParts(context, (parts) =>
      acceptDelivery(context.db, accountId, id, parts),
    );
    revalidatePath(`/deliveries/${id}`);
    return outcome;
  });
}

/** Null: too many to count. */
export async function countAcceptCommand(values: Values): Promise<CommandResult<number | null>> {
  return await runFormCommand(valuesSchema, values, async (given, { accountId }, { db }) =>
    countRejected(db, accountId, readAcceptFilter(given)),
  );
}

export async function startAcceptCommand(values: Values): Promise<CommandResult<null>> {
  return await runFormCommand(valuesSchema, values, async (given, { accountId }, { db }) => {
    await createAcceptJob(db, accountId, readAcceptFilter(given));
    revalidatePath("/", "layout");
    return null;
  });
}

export async function cancelAcceptCommand(jobId: string): Promise<CommandResult<null>> {
  return await runFormCommand(idSchema, jobId, async (id, { accountId }, { db }) => {
    await cancelBulkJob(db, accountId, id);
    revalidatePath("/", "layout");
    return null;
  });
}
