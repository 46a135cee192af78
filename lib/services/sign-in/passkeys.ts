import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import {
  consumeChallenge,
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  recordPasskeyUse,
  renamePasskey as rename,
} from "#lib/db/sign-in/passkeys.ts";
import { findUserById } from "#lib/db/sign-in/users.ts";
import {
  maxPasskeys,
  passkeyNameSchema,
  passkeyResponseSchema,
} from "#lib/schema/account/passkey.ts";
import { givenPasswordSchema } from "#lib/schema/account/sign-in.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { browserField, confirmPassword } from "#lib/services/account/passwords.ts";
import { auditPerson, type PersonContext, requireUser } from "#lib/services/account/person.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { requirePasskeys } from "./read-sign-in.ts";
import { recordFailedSignIn } from "./record-sign-in.ts";

const passkeyTarget = (id: string, name?: string) => [
  { type: "passkey", id, ...(name !== undefined && { name }) },
];

/** Begins to add a passkey, after the password: an abandoned session must not get a lasting key. */
export const startPasskey = service({
  permission: "profile:write",
  input: z.strictObject({ password: givenPasswordSchema, ...browserField }),
  run: async (
    { actor, db, env },
    { password, browser },
  ): Promise<PublicKeyCredentialCreationOptionsJSON> => {
    const { rpId } = requirePasskeys(env);
    const { userId, email } = requireUser(actor);
    await confirmPassword(db, { email, password, field: "password", browser });
    const passkeys = await listPasskeys(db, userId);
    if (passkeys.length >= maxPasskeys)
      throw new AppError("conflict", `You have ${maxPasskeys} passkeys. Remove one first.`);
    return await generateRegistrationOptions({
      rpName: "Catchment",
      rpID: rpId,
      userID: Buffer.from(userId),
      userName: email,
      attestationType: "none",
      excludeCredentials: passkeys.map(({ id, transports }) => ({
        id,
        transports: [...transports] as AuthenticatorTransport[],
      })),
      // Found without an email, and unlocked by its owner: it counts as two factors.
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  },
});

/** Adds the passkey that the browser made for the challenge. */
export const addPasskey = service({
  permission: "profile:write",
  input: z.strictObject({
    name: passkeyNameSchema,
    response: passkeyResponseSchema,
    challenge: z.string(),
  }),
  run: async (context, { name, response, challenge }): Promise<void> => {
    const { db, env } = context;
    const user = requireUser(context.actor);
    const { userId } = user;
    const { rpId, origin } = requirePasskeys(env);
    if (!(await consumeChallenge(db, challenge))) throw tryAgain();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    }).catch((error: Error) => {
      // The library throws for everything that an attacker can send.
      log.warn("passkey.refused", { userId, reason: error.message });
      throw tryAgain();
    });
    if (!verified) throw tryAgain();
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    await db.$transaction(async (tx) => {
      const passkey = { id, userId, name, publicKey, counter, transports };
      if (!(await insertPasskey(tx, passkey))) throw tryAgain();
      const entry = { event: "user.passkey.added", targets: passkeyTarget(id, name) };
      await auditPerson(context, user, entry, tx);
    });
  },
});

export const renamePasskey = service({
  permission: "profile:write",
  input: z.strictObject({ id: recordId, name: passkeyNameSchema }),
  run: async (context, passkey): Promise<void> => {
    const user = requireUser(context.actor);
    const { userId } = user;
    await context.db.$transaction(async (tx) => {
      if (!(await rename(tx, userId, passkey))) throw notFound();
      const targets = passkeyTarget(passkey.id, passkey.name);
      await auditPerson(context, user, { event: "user.passkey.renamed", targets }, tx);
    });
  },
});

export const removePasskey = service({
  permission: "profile:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const user = requireUser(context.actor);
    const { userId } = user;
    await context.db.$transaction(async (tx) => {
      if (!(await deletePasskey(tx, userId, id))) throw notFound();
      const entry = { event: "user.passkey.removed", targets: passkeyTarget(id) };
      await auditPerson(context, user, entry, tx);
    });
  },
});

function tryAgain(): AppError {
  return invalidField("name", "The passkey couldn't be added. Try again.");
}

function notFound(): AppError {
  return new AppError("not_found", "You have no such passkey. Reload the page.");
}

type Parts = PersonContext & Pick<ServiceParts, "env">;

/** Asks the browser for any passkey of this site. The same for everyone. */
export async function startPasskeySignIn({
  env,
}: Pick<Parts, "env">): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { rpId } = requirePasskeys(env);
  return await generateAuthenticationOptions({ rpID: rpId, userVerification: "required" });
}

/**
 * Returns the user of the passkey that answered the challenge. A passkey counts as two factors,
 * because its owner unlocks it. Throws `forbidden` if the response is not valid.
 */
export async function checkPasskey(
  parts: Parts,
  response: z.output<typeof passkeyResponseSchema>,
  challenge: string,
): Promise<string> {
  const { db, env } = parts;
  const { rpId, origin } = requirePasskeys(env);
  const passkey = await findPasskey(db, response.id);
  if (passkey === null) throw reject("unknown");
  const { userId, publicKey, counter, transports } = passkey;
  const checked = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey,
      counter,
      transports: [...transports] as AuthenticatorTransport[],
    },
    // The library throws for everything that an attacker can send.
  }).catch((error: Error) => ({ verified: false as const, reason: error.message }));
  // Only correct answers use up a challenge, so unauthenticated clients can't fill the table.
  if (!checked.verified || !(await consumeChallenge(db, challenge))) {
    const user = await findUserById(db, userId);
    if (user !== null) await recordFailedSignIn(parts, user, "passkey");
    throw reject("reason" in checked ? checked.reason : "not verified");
  }
  await recordPasskeyUse(db, passkey.id, checked.authenticationInfo.newCounter);
  return userId;
}

function reject(reason: string): AppError {
  logCounted("warn", "passkey.refused", { reason });
  return new AppError("forbidden", "This passkey doesn't sign anyone in here.");
}
