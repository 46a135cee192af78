"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { cancelEmailChange, sendEmailLink } from "#lib/services/account/email-change.ts";
import { saveProfile } from "#lib/services/account/profile.ts";
import { readBrowser } from "#lib/web/auth/device-token.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function saveProfileCommand(input: object): Promise<CommandResult<string | null>> {
  // The services parse what the forms sent, whatever it is.
  const profile = input as z.input<typeof saveProfile.input>;
  const browser = await readBrowser();
  return await changeByService(saveProfile, { ...profile, browser }, (sentTo) => sentTo);
}

export async function sendEmailLinkCommand(): Promise<CommandResult<null>> {
  return await changeByService(sendEmailLink, {}, nothing);
}

export async function cancelEmailChangeCommand(): Promise<CommandResult<null>> {
  return await changeByService(cancelEmailChange, {}, nothing);
}
