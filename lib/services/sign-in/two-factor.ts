import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { totpSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import { findTotpStep, toBase32, totpSecretBytes, totpUri } from "#lib/core/people/sign-in/totp.ts";
import { clearSignInAttempt, reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import {
  confirmTotpSecret,
  consumeRecoveryCode,
  consumeTotpStep,
  deleteTotpSecret,
  findTotpSecret,
  hasTwoFactor,
  putTotpSecret,
  replaceRecoveryCodes,
} from "#lib/db/sign-in/totp-secrets.ts";
import { givenPasswordSchema, oneTimeCodeSchema } from "#lib/schema/account/sign-in.ts";
import { browserField, confirmPassword } from "#lib/services/account/passwords.ts";
import { auditPerson, requireUser } from "#lib/services/account/person.ts";
import type { UserActor } from "#lib/services/frame/actor.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** A new secret, as the QR code and as text. */
type NewTotpSecret = { readonly uri: string; readonly secret: string };
type RecoveryCodes = { readonly recoveryCodes: readonly string[] };

const passwordFields = z.strictObject({ password: givenPasswordSchema, ...browserField });

/**
 * Makes a secret for an authenticator app, after the password: with an abandoned session, someone
 * could lock its user out. Nothing changes until a code of the app is confirmed.
 */
export const startTwoFactor = service({
  permission: "profile:write",
  input: passwordFields,
  run: async ({ actor, db, env, sealer }, { password, browser }): Promise<NewTotpSecret> => {
    const { userId, email } = requireUser(actor);
    await confirmPassword(db, { email, password, field: "password", browser });
    const secret = randomBytes(totpSecretBytes);
    const ciphertext = sealer.seal(secret, totpSecretPlace(userId));
    if (!(await putTotpSecret(db, userId, ciphertext))) throw alreadyOn();
    const uri = totpUri(secret, email, new URL(env.publicUrl).host);
    return { uri, secret: toBase32(secret) };
  },
});

/** Turns two-factor on with the first code of the app. Returns the recovery codes, once. */
export const confirmTwoFactor = service({
  permission: "profile:write",
  input: z.strictObject({ code: oneTimeCodeSchema }),
  run: async (context, { code }): Promise<RecoveryCodes> => {
    const user = requireUser(context.actor);
    const { db, sealer, now } = context;
    const stored = await findTotpSecret(db, user.userId);
    if (stored === null) throw new AppError("conflict", "Start again: there is no secret yet.");
    if (stored.isConfirmed) throw alreadyOn();
    const opened = sealer.open(stored.ciphertext, totpSecretPlace(user.userId));
    if (!opened.ok) throw new Error(opened.message);
    const step = findTotpStep(opened.plaintext, code, now().getTime());
    if (step === null) throw invalidField("code", "is not the code that the app shows now");
    return await changeCodes(context, user, "user.two_factor.enabled", async (tx) => {
      if (!(await confirmTotpSecret(tx, user.userId, step))) throw alreadyOn();
    });
  },
});

/** Makes new recovery codes. The old ones stop working. */
export const renewRecoveryCodes = service({
  permission: "profile:write",
  input: passwordFields,
  run: async (context, { password, browser }): Promise<RecoveryCodes> => {
    const user = requireUser(context.actor);
    const given = { email: user.email, password, field: "password", browser };
    await confirmPassword(context.db, given);
    await requireTwoFactor(context.db, user);
    return await changeCodes(context, user, "user.recovery_codes.renewed", async () => {});
  },
});

export const turnOffTwoFactor = service({
  permission: "profile:write",
  input: passwordFields,
  run: async (context, { password, browser }): Promise<void> => {
    const { db } = context;
    const { userId, email } = requireUser(context.actor);
    await confirmPassword(db, { email, password, field: "password", browser });
    await db.$transaction(async (tx) => {
      await deleteTotpSecret(tx, userId);
      await auditPerson(context, { userId, email }, { event: "user.two_factor.disabled" }, tx);
    });
  },
});

async function changeCodes(
  context: ServiceContext,
  { userId, email }: UserActor,
  event: string,
  change: (tx: Transaction) => Promise<void>,
): Promise<RecoveryCodes> {
  const recoveryCodes = Array.from({ length: 10 }, makeRecoveryCode);
  await context.db.$transaction(async (tx) => {
    await change(tx);
    await replaceRecoveryCodes(tx, userId, recoveryCodes);
    await auditPerson(context, { userId, email }, { event }, tx);
  });
  return { recoveryCodes };
}

/** 80 random bits in groups that people can copy, such as `k7dq-m2xa-pl5t-8vwe`. */
function makeRecoveryCode(): string {
  const text = toBase32(randomBytes(10)).toLowerCase();
  return (text.match(/.{4}/g) ?? []).join("-");
}

async function requireTwoFactor(db: Database, { userId }: UserActor): Promise<void> {
  if (!(await hasTwoFactor(db, userId)))
    throw new AppError("conflict", "Two-factor authentication is off.");
}

function alreadyOn(): AppError {
  return new AppError("conflict", "Two-factor authentication is on already. Reload the page.");
}

type SecondFactorResult =
  | { readonly ok: true; readonly by: "app code" | "recovery code" }
  | { readonly ok: false; readonly code: "wrong" }
  | { readonly ok: false; readonly code: "throttled"; readonly retryAfterSeconds: number };

type Parts = Pick<ServiceParts, "db" | "sealer">;

/**
 * Checks the second factor of a user whose password was correct: a code of the app, or a recovery
 * code. Each works once. Guesses are throttled like passwords, for the user and for the address.
 */
export async function checkSecondFactor(
  { db, sealer }: Parts,
  { userId, code }: { readonly userId: string; readonly code: string },
  { address, nowMs }: { readonly address: string | null; readonly nowMs: number },
): Promise<SecondFactorResult> {
  const attempt = { email: `second factor ${userId}`, address, isSecret: true };
  const permit = await reserveSignInAttempt(db, attempt);
  if (!permit.ok) {
    logCounted("warn", "second_factor.throttled", { address });
    return { ok: false, code: "throttled", retryAfterSeconds: permit.retryAfterSeconds };
  }
  const given = code.toLowerCase().replace(/\s/g, "");
  const isAppCode = /^\d{6}$/.test(given);
  const isRight = isAppCode
    ? await isTotpCode({ db, sealer }, { userId, code: given }, nowMs)
    : await consumeRecoveryCode(db, userId, given);
  if (!isRight) {
    logCounted("warn", "second_factor.refused", { address });
    return { ok: false, code: "wrong" };
  }
  await clearSignInAttempt(db, attempt);
  return { ok: true, by: isAppCode ? "app code" : "recovery code" };
}

async function isTotpCode(
  { db, sealer }: Parts,
  { userId, code }: { readonly userId: string; readonly code: string },
  nowMs: number,
): Promise<boolean> {
  const stored = await findTotpSecret(db, userId);
  if (stored === null) return false;
  const opened = sealer.open(stored.ciphertext, totpSecretPlace(userId));
  if (!opened.ok) throw new Error(opened.message);
  const step = findTotpStep(opened.plaintext, code, nowMs);
  return step !== null && (await consumeTotpStep(db, userId, step));
}
