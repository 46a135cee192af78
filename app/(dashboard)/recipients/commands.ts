"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { createPortalLink, revokePortalLink } from "#lib/db/recipients/portal-links.ts";
import { deleteRecipient, putRecipient } from "#lib/db/recipients/recipients.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { portalLinkSchema, recipientId, recipientSchema } from "#lib/schema/sender/recipient.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

const saveSchema = recipientSchema.extend({ id: recipientId });
const linkSchema = portalLinkSchema.extend({ recipient: recipientId });
const revokeSchema = z.strictObject({ recipient: recipientId, linkId: z.string().max(64) });

export async function saveRecipientCommand(input: {
  readonly id: string;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}): Promise<CommandResult<null>> {
  return await runFormCommand(saveSchema, input, async ({ id, ...data }, { accountId }, { db }) => {
    await putRecipient(db, accountId, id, data);
    revalidatePath("/recipients", "layout");
    return null;
  });
}

export async function deleteRecipientCommand(id: string): Promise<CommandResult<null>> {
  return await runFormCommand(recipientId, id, async (deleted, { accountId }, { db }) => {
    await deleteRecipient(db, accountId, deleted);
    revalidatePath("/recipients", "layout");
    return null;
  });
}

/** The URL isn't shown again. */
export async function createPortalLinkCommand(
  recipient: string,
  input: { readonly expiresInSeconds: number; readonly capabilities: readonly string[] },
): Promise<CommandResult<{ readonly url: string }>> {
  return await runFormCommand(
    linkSchema,
    { ...input, recipient },
    async ({ recipient: id, ...link }, { accountId }, { db, env }) => {
      const { token } = await createPortalLink(db, accountId, id, link);
      revalidatePath("/recipients", "layout");
      return { url: `${env.publicUrl}/portal/${token}` };
    },
  );
}

export async function revokePortalLinkCommand(
  recipient: string,
  linkId: string,
): Promise<CommandResult<null>> {
  const input = { recipient, linkId };
  return await runFormCommand(revokeSchema, input, async (data, { accountId }, { db }) => {
    await revokePortalLink(db, accountId, data.recipient, data.linkId);
    revalidatePath("/recipients", "layout");
    return null;
  });
}
