"use server";

import { newPersonSchema } from "#lib/schema/account/member.ts";
import { type CommandResult, reject } from "#lib/schema/field/command-result.ts";
import { noFields } from "#lib/schema/field/common.ts";
import { acceptAsNewPerson, acceptAsPerson } from "#lib/services/invitations.ts";
import { runPublicFormCommand } from "#lib/web/auth/form-command.ts";
import { readPerson } from "#lib/web/auth/session.ts";
import { acceptParts } from "#lib/web/members/accept-parts.ts";

/** The link's token authorizes the command: the person doesn't exist yet. */
export async function acceptAsNewPersonCommand(
  token: string,
  input: Record<string, string>,
): Promise<CommandResult<{ readonly email: string }>> {
  return await runPublicFormCommand(newPersonSchema, input, async (person) =>
    acceptAsNewPerson(await acceptParts(), String(token), person),
  );
}

/** Adds the signed-in person to the account of the link. */
export async function joinCommand(token: string): Promise<CommandResult<null>> {
  const person = await readPerson();
  if (person === null) return reject("Your session has ended. Reload the page to sign in.");
  return await runPublicFormCommand(noFields, {}, async () => {
    await acceptAsPerson(await acceptParts(), String(token), person);
    return null;
  });
}
