"use server";

import { redirect } from "next/navigation";
import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { changePassword, endAllSessions, endSession } from "#lib/services/account/profile.ts";
import {
  addPasskey,
  removePasskey,
  renamePasskey,
  startPasskey,
} from "#lib/services/sign-in/passkeys.ts";
import {
  confirmTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
  turnOffTwoFactor,
} from "#lib/services/sign-in/two-factor.ts";
import { keepChallenge, takeChallenge } from "#lib/web/auth/challenge.ts";
import { readBrowser } from "#lib/web/auth/device-token.ts";
import { drawQrCode } from "#lib/web/auth/draw-qr-code.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { requireSession, setSessionCookie } from "#lib/web/auth/session.ts";

/** Changes the password and gives this browser a new session, because the change ends all. */
export async function changePasswordCommand(input: object): Promise<CommandResult<null>> {
  // The services parse what the forms sent, whatever it is.
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

export async function startTwoFactorCommand(input: object) {
  const given = await withBrowser<typeof startTwoFactor.input>(input);
  const started = await askService(startTwoFactor, given);
  if (!started.ok) return started;
  const { uri, secret } = started.value;
  return { ok: true, value: { qrCode: drawQrCode(uri), secret } } as const;
}

export async function confirmTwoFactorCommand(input: object) {
  const code = input as z.input<typeof confirmTwoFactor.input>;
  return await changeByService(confirmTwoFactor, code, (value) => value);
}

export async function renewRecoveryCodesCommand(input: object) {
  const given = await withBrowser<typeof renewRecoveryCodes.input>(input);
  return await changeByService(renewRecoveryCodes, given, (value) => value);
}

export async function turnOffTwoFactorCommand(input: object): Promise<CommandResult<null>> {
  const given = await withBrowser<typeof turnOffTwoFactor.input>(input);
  return await changeByService(turnOffTwoFactor, given, nothing);
}

export async function startPasskeyCommand(input: object) {
  const { userId } = await requireSession();
  const given = await withBrowser<typeof startPasskey.input>(input);
  const started = await askService(startPasskey, given);
  if (started.ok) await keepChallenge(started.value.challenge, `add to ${userId}`);
  return started;
}

export async function addPasskeyCommand(
  name: string,
  response: object,
): Promise<CommandResult<null>> {
  const { userId } = await requireSession();
  const challenge = await takeChallenge(`add to ${userId}`);
  if (challenge === null)
    return { ok: false, message: "This took too long. Try again.", errors: [] };
  const given = { name, response, challenge } as z.input<typeof addPasskey.input>;
  return await changeByService(addPasskey, given, nothing);
}

export async function renamePasskeyCommand(input: object): Promise<CommandResult<null>> {
  const passkey = input as z.input<typeof renamePasskey.input>;
  return await changeByService(renamePasskey, passkey, nothing);
}

export async function removePasskeyCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(removePasskey, { id }, nothing);
}

async function withBrowser<Schema extends z.ZodType>(input: object): Promise<z.input<Schema>> {
  return { ...input, browser: await readBrowser() } as z.input<Schema>;
}
