import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import type { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { consumeChallenge, findPasskey, recordPasskeyUse } from "#lib/db/sign-in/passkeys.ts";
import { findUserById } from "#lib/db/sign-in/users.ts";
import type { passkeyResponseSchema } from "#lib/schema/account/passkey.ts";
import type { PersonContext } from "#lib/services/account/person.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { recordFailedSignIn } from "./record-sign-in.ts";
import { requirePasskeys } from "./relying-party.ts";

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
