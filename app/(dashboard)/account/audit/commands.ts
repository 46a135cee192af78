"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  deleteAuditReceiver,
  putAuditReceiver,
  rotateAuditReceiverSecret,
} from "#lib/services/audit-log.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

type Secret = { readonly secret: string | null };

export async function saveAuditReceiverCommand(input: object): Promise<CommandResult<Secret>> {
  // The service parses what the form sent, whatever it is.
  const given = input as z.input<typeof putAuditReceiver.input>;
  return await changeByService(putAuditReceiver, given, ({ secret }) => ({ secret }));
}

export async function rotateAuditSecretCommand(): Promise<CommandResult<Secret>> {
  return await changeByService(rotateAuditReceiverSecret, {}, ({ secret }) => ({ secret }));
}

export async function deleteAuditReceiverCommand(): Promise<CommandResult<null>> {
  return await changeByService(deleteAuditReceiver, {}, nothing);
}
