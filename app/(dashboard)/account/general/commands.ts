"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  createAccount,
  deleteAccount,
  switchAccount,
  transferAccount,
} from "#lib/services/account/accounts.ts";
import { renameAccount } from "#lib/services/account/sender-settings.ts";
import { leaveAccount } from "#lib/services/members.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function renameAccountCommand(id: string, name: string): Promise<CommandResult<null>> {
  return await changeByService(renameAccount, { id, name }, nothing);
}

/** Creates an account and shows it. */
export async function createAccountCommand(input: object): Promise<CommandResult<null>> {
  // The service parses what the form sent, whatever it is.
  const account = input as z.input<typeof createAccount.input>;
  const created = await changeByService(createAccount, account, ({ id }) => id);
  return created.ok ? await switchAccountCommand(created.value) : created;
}

export async function switchAccountCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(switchAccount, { id }, nothing);
}

export async function transferAccountCommand(
  id: string,
  input: object,
): Promise<CommandResult<null>> {
  const given = { ...input, id } as z.input<typeof transferAccount.input>;
  return await changeByService(transferAccount, given, nothing);
}

export async function deleteAccountCommand(id: string, name: string): Promise<CommandResult<null>> {
  return await changeByService(deleteAccount, { id, name }, nothing);
}

export async function leaveAccountCommand(): Promise<CommandResult<null>> {
  return await changeByService(leaveAccount, {}, nothing);
}
