"use server";

import { redirect } from "next/navigation";
import { renderSVG } from "uqr";
import { type CommandResult, reject } from "#lib/schema/field/command-result.ts";
import {
  cancelEmailChange,
  confirmEmail,
  sendEmailLink,
} from "#lib/services/account/email-change.ts";
import {
  changePassword,
  endAllSessions,
  endSession,
  saveProfile,
} from "#lib/services/account/profile.ts";
import {
  allowClientSignIn,
  denyClientSignIn,
} from "#lib/services/sign-in/decide-client-sign-in.ts";
import {
  allowDeviceSignIn,
  denyDeviceSignIn,
  readDeviceSignIn,
} from "#lib/services/sign-in/decide-device-sign-in.ts";
import {
  addPasskey,
  removePasskey,
  renamePasskey,
  startPasskey,
} from "#lib/services/sign-in/passkeys.ts";
import { testSingleSignOn } from "#lib/services/sign-in/single-sign-on.ts";
import {
  confirmTwoFactor,
  renewRecoveryCodes,
  startTwoFactor,
  turnOffTwoFactor,
} from "#lib/services/sign-in/two-factor.ts";
import { keepChallenge, takeChallenge } from "#lib/web/auth/challenge.ts";
import { readBrowser } from "#lib/web/auth/device-token.ts";
import { ask, change, form } from "#lib/web/auth/run-service.ts";
import { requireSession, setSessionCookie } from "#lib/web/auth/session.ts";

/** The fields of a form, and the browser that sends it. */
const formOfBrowser = async (given: object) => ({ ...form(given), browser: await readBrowser() });

export const saveProfileCommand = change(saveProfile, [formOfBrowser], (sentTo) => sentTo);
export const sendEmailLinkCommand = change(sendEmailLink, []);
export const confirmEmailCommand = change(confirmEmail, ["token"]);
export const cancelEmailChangeCommand = change(cancelEmailChange, []);

const savePassword = change(changePassword, [formOfBrowser], (session) => session);

/** Changes the password and gives this browser a new session, because the change ends all. */
export async function changePasswordCommand(input: object): Promise<CommandResult<null>> {
  const changed = await savePassword(input);
  if (!changed.ok) return changed;
  const { userId, sessionId } = changed.value;
  if (sessionId === null) redirect("/sign-in");
  await setSessionCookie({ userId, sessionId });
  return { ok: true, value: null };
}

export const endSessionCommand = change(endSession, ["id"]);

const endAll = change(endAllSessions, []);

export async function signOutEverywhereCommand(): Promise<CommandResult<null>> {
  const ended = await endAll();
  if (ended.ok) redirect("/sign-in");
  return ended;
}

export const testSingleSignOnCommand = ask(testSingleSignOn, []);

export const startTwoFactorCommand = ask(startTwoFactor, [formOfBrowser], ({ uri, secret }) => ({
  qrCode: drawQrCode(uri),
  secret,
}));
export const confirmTwoFactorCommand = change(confirmTwoFactor, [form], (codes) => codes);
export const renewRecoveryCodesCommand = change(
  renewRecoveryCodes,
  [formOfBrowser],
  (codes) => codes,
);
export const turnOffTwoFactorCommand = change(turnOffTwoFactor, [formOfBrowser]);

const start = ask(startPasskey, [formOfBrowser]);
const add = change(addPasskey, ["name", "response", "challenge"]);

export async function startPasskeyCommand(input: object) {
  const { userId } = await requireSession();
  const started = await start(input);
  if (started.ok) await keepChallenge(started.value.challenge, `add to ${userId}`);
  return started;
}

export async function addPasskeyCommand(name: string, response: object) {
  const { userId } = await requireSession();
  const challenge = await takeChallenge(`add to ${userId}`);
  if (challenge === null) return reject("This took too long. Try again.");
  return await add(name, response as Parameters<typeof add>[1], challenge);
}

export const renamePasskeyCommand = change(renamePasskey, [form]);
export const removePasskeyCommand = change(removePasskey, ["id"]);

export const readDeviceSignInCommand = ask(readDeviceSignIn, ["code"]);
export const allowDeviceSignInCommand = change(allowDeviceSignIn, [form]);
export const denyDeviceSignInCommand = change(denyDeviceSignIn, ["code"]);
export const allowClientSignInCommand = change(allowClientSignIn, ["..."], (url) => url);
export const denyClientSignInCommand = change(denyClientSignIn, ["query"], (url) => url);

/** A QR code as a picture in a data URL, which the content security policy allows. */
function drawQrCode(text: string): string {
  const svg = renderSVG(text, { border: 0, ecc: "M" });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
