"use server";

import { redirect } from "next/navigation";
import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { changePassword } from "#lib/services/account/change-password.ts";
import { saveProfile } from "#lib/services/account/save-profile.ts";
import { endAllSessions, endSession } from "#lib/services/account/sessions.ts";
import { readBrowser } from "#lib/web/auth/read-browser.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { setSessionCookie } from "#lib/web/auth/session.ts";

export async function saveProfileCommand(input: object): Promise<CommandResult<null>> {
  // The services parse what the forms sent, whatever it is.
  const profile = input as z.input<typeof saveProfile.input>;
  const browser = await readBrowser();
  return await changeByService(saveProfile, { ...profile, browser }, nothing);
}

/** Changes the password and gives this browser a new session, because the change ends all. */
export async function changePasswordCommand(input: object): Promise<CommandResult<null>> {
  const passwords = input as z.input<typeof changePassword.input>;
  const given = { ...passwords, browser: await readBrowser() };
  const changed = await changeByService(changePassword, given, (value) => value);
  if (!changed.ok) return changed;
  const { userId, sessionId } = changed.value;
  if (sessionId === null) redirect("/sign-in");
  await setSessionCookie({ userId, sessionId });
  return { ok: true, value: null };
}

export async function endSessionCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(endSession, { id }, nothing);
}

export async function signOutEverywhereCommand(): Promise<CommandResult<null>> {
  const ended = await changeByService(endAllSessions, {}, nothing);
  if (ended.ok) redirect("/sign-in");
  return ended;
}
