"use server";

import { z } from "zod";
import type { ArrivedEventView } from "#components/events/arrived-event.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { createPublishToken } from "#lib/services/account/api-tokens.ts";
import { resendEvent } from "#lib/services/events/resend-event.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { readArrivedEvent } from "#lib/web/events/read-first-event.ts";

const idSchema = z.string().max(128);

/** Sends an event again. Returns the number of queued sends. */
export async function resendEventCommand(
  id: string,
  onlyFailed: boolean,
): Promise<CommandResult<number>> {
  return await changeByService(resendEvent, { id, onlyFailed }, (runs) => runs.length);
}

/** Sends an event again to one subscription. */
export async function resendToCommand(
  id: string,
  subscriptionId: string,
): Promise<CommandResult<null>> {
  return await changeByService(resendEvent, { id, subscriptionIds: [subscriptionId] }, nothing);
}

/** Creates a token for the command that publishes the first event. */
export async function createPublishTokenCommand(): Promise<
  CommandResult<{ readonly token: string }>
> {
  return await askService(createPublishToken, {});
}

export async function readArrivedEventCommand(
  afterId: string,
): Promise<CommandResult<ArrivedEventView | null>> {
  return await runFormCommand(idSchema, afterId, async (id, { accountId }, context) =>
    readArrivedEvent(context, accountId, id),
  );
}
