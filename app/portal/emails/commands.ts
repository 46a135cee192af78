"use server";

import { revalidatePath } from "next/cache";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { confirmRecipientEmail, endRecipientEmail } from "#lib/services/alerts/recipient-emails.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { respondToCommand } from "#lib/web/auth/form-command.ts";

/** The token of the link in the email is the credential. */
export async function confirmRecipientEmailCommand(token: string): Promise<CommandResult<null>> {
  return await respondToCommand(() => followLink(confirmRecipientEmail, token));
}

export async function endRecipientEmailCommand(token: string): Promise<CommandResult<null>> {
  return await respondToCommand(() => followLink(endRecipientEmail, token));
}

async function followLink(run: typeof confirmRecipientEmail, token: string): Promise<null> {
  await run(serverContext(), String(token));
  revalidatePath("/portal/emails/[token]", "page");
  return null;
}
