"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ArrivedEventView } from "#components/events/arrived-event.tsx";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { resendEvent } from "#lib/db/events/resend-event.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { readArrivedEvent } from "#lib/web/pages/send/read-first-event.ts";

const idSchema = z.string().max(128);
const resendSchema = z.strictObject({ eventId: idSchema, onlyFailed: z.boolean() });
const resendOneSchema = z.strictObject({ eventId: idSchema, subscriptionId: z.uuid() });

const tokenDays = 90;
const dayMs = 86_400_000;

/** Returns how many sends were queued. */
export async function resendEventCommand(
  eventId: string,
  onlyFailed: boolean,
): Promise<CommandResult<number>> {
  const input = { eventId, onlyFailed };
  return await runFormCommand(resendSchema, input, async (data, { accountId }, { db }) => {
    const sends = await resendEvent(db, accountId, data.eventId, { onlyFailed: data.onlyFailed });
    revalidatePath("/events", "layout");
    return sends.length;
  });
}

/** A new send to one subscription. */
export async function resendToCommand(
  eventId: string,
  subscriptionId: string,
): Promise<CommandResult<null>> {
  const input = { eventId, subscriptionId };
  return await runFormCommand(resendOneSchema, input, async (data, { accountId }, { db }) => {
    const subscriptionIds = [data.subscriptionId];
    await resendEvent(db, accountId, data.eventId, { subscriptionIds, onlyFailed: false });
    revalidatePath("/events", "layout");
    return null;
  });
}

/** For the command that publishes the first event. */
export async function createPublishTokenCommand(): Promise<
  CommandResult<{ readonly token: string }>
> {
  return await runFormCommand(z.null(), null, async (_, { accountId }, { db }) => {
    const expiresAt = new Date(Date.now() + tokenDays * dayMs);
    const { token } = await createApiToken(db, accountId, {
      name: "Publish events",
      scopes: ["events:write"],
      expiresAt,
    });
    return { token };
  });
}

export async function readArrivedEventCommand(
  afterId: string,
): Promise<CommandResult<ArrivedEventView | null>> {
  return await runFormCommand(idSchema, afterId, async (id, { accountId }, context) =>
    readArrivedEvent(context, accountId, id),
  );
}
