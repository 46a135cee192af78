"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { PortalCapability } from "#lib/schema/send/recipient.ts";
import {
  createPortalLink,
  deleteRecipient,
  putRecipient,
  revokePortalLink,
} from "#lib/services/recipients.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function saveRecipientCommand(input: {
  readonly id: string;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}): Promise<CommandResult<null>> {
  return await changeByService(putRecipient, input, nothing);
}

export async function deleteRecipientCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteRecipient, { id }, nothing);
}

/** Creates a portal link. Its URL isn't shown again. */
export async function createPortalLinkCommand(
  recipient: string,
  given: {
    readonly expiresInSeconds: number;
    readonly capabilities: readonly PortalCapability[];
  },
): Promise<CommandResult<{ readonly url: string }>> {
  // The service parses its input, whatever it is.
  const input = { ...given, id: recipient } as z.input<typeof createPortalLink.input>;
  return await changeByService(createPortalLink, input, ({ url }) => ({ url }));
}

export async function revokePortalLinkCommand(
  recipient: string,
  linkId: string,
): Promise<CommandResult<null>> {
  return await changeByService(revokePortalLink, { id: recipient, linkId }, nothing);
}
