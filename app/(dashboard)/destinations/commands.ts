"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import {
  createDestination,
  deleteDestination,
  updateDestination,
} from "#lib/db/destinations/destinations.ts";
import { destinationInputSchema, destinationPatchSchema } from "#lib/schema/destination.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

type Saved = Promise<CommandResult<{ readonly id: string }>>;

const id = z.string().max(64);

export async function createDestinationCommand(input: object): Saved {
  return await runFormCommand(
    destinationInputSchema,
    input,
    async (data, { accountId }, { db, env }) => {
      const made = await createDestination(db, accountId, data, env.egressAllow);
      revalidatePath("/destinations", "layout");
      return { id: made.id };
    },
  );
}

export async function saveDestinationCommand(destinationId: string, input: object): Saved {
  return await runFormCommand(
    destinationPatchSchema,
    input,
    async (patch, { accountId }, { db, env }) => {
      await updateDestination(db, accountId, destinationId, patch, env.egressAllow);
      revalidatePath("/destinations", "layout");
      return { id: destinationId };
    },
  );
}

export async function deleteDestinationCommand(
  destinationId: string,
): Promise<CommandResult<null>> {
  return await runFormCommand(id, destinationId, async (deleted, { accountId }, { db }) => {
    await deleteDestination(db, accountId, deleted);
    revalidatePath("/destinations", "layout");
    return null;
  });
}
