import { logCounted } from "#lib/base/log-counted.ts";
import { totpSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import { findTotpStep } from "#lib/core/people/sign-in/totp.ts";
import { clearSignInAttempt, reserveSignInAttempt } from "#lib/db/accounts/sign-in-throttle.ts";
import {
  consumeRecoveryCode,
  consumeTotpStep,
  findTotpSecret,
} from "#lib/db/sign-in/totp-secrets.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

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
