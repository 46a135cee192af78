"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  createDestination,
  deleteDestination,
  updateDestination,
} from "#lib/services/destinations.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

type Saved = Promise<CommandResult<{ readonly id: string }>>;

export async function createDestinationCommand(input: object): Saved {
  // The service parses what the form sent, whatever it is.
  const given = input as z.input<typeof createDestination.input>;
  return await changeByService(createDestination, given, ({ id }) => ({ id }));
}

export async function saveDestinationCommand(id: string, patch: object): Saved {
  return await changeByService(updateDestination, { ...patch, id }, () => ({ id }));
}

export async function deleteDestinationCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteDestination, { id }, nothing);
}
