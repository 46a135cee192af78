import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import type { z } from "zod";
import { consumeChallenge, findPasskey, recordPasskeyUse } from "#lib/db/sign-in/passkeys.ts";
import { AppError } from "#lib/errors.ts";
import { logCounted } from "#lib/log-counted.ts";
import type { passkeyResponseSchema } from "#lib/schema/account/passkey.ts";
import type { ServiceParts } from "#lib/services/service-parts.ts";
import { requirePasskeys } from "./relying-party.ts";

type Parts = Pick<ServiceParts, "db" | "env">;

/** Asks the browser for any passkey of this site. The same for everyone. */
export async function startPasskeySignIn({
  env,
}: Pick<Parts, "env">): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { rpId } = requirePasskeys(env);
  return await generateAuthenticationOptions({ rpID: rpId, userVerification: "required" });
}

/**
 * The user of the passkey that answered the challenge. A passkey counts as two factors, because its
 * owner unlocks it. Throws `forbidden`.
 */
export async function checkPasskey(
  { db, env }: Parts,
  response: z.output<typeof passkeyResponseSchema>,
  challenge: string,
): Promise<string> {
  const { rpId, origin } = requirePasskeys(env);
  const passkey = await findPasskey(db, response.id);
  if (passkey === null) throw refuse("unknown");
  const { userId, publicKey, counter, transports } = passkey;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
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
  }).catch((error: Error) => {
    // The library throws for everything that an attacker can send.
    throw refuse(error.message);
  });
  // Only correct answers use up a challenge, so strangers can't fill the table.
  if (!verified || !(await consumeChallenge(db, challenge))) throw refuse("not verified");
  await recordPasskeyUse(db, passkey.id, authenticationInfo.newCounter);
  return userId;
}

function refuse(reason: string): AppError {
  logCounted("warn", "passkey.refused", { reason });
  return new AppError("forbidden", "This passkey doesn't sign anyone in here.");
}
