import { generateKeyPairSync, randomBytes } from "node:crypto";
import { newId } from "#lib/base/ids.ts";
import { subscriptionSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { secretHint } from "#lib/core/verify/secret/secret-hint.ts";
import type { NewSecretRow } from "#lib/db/subscriptions/subscription-secrets.ts";

/** `whsec_` and base64 of 32 random bytes: https://www.standardwebhooks.com. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export function sealSecret(sealer: Sealer, accountId: string, secret: string): NewSecretRow {
  return { ...seal(sealer, accountId, secret), kind: "hmac", hint: secretHint(secret) };
}

/** An Ed25519 key pair for `v1a` signatures. Its public key may be shown to everyone. */
export function createKeyPair(sealer: Sealer, accountId: string): NewSecretRow {
  const pair = generateKeyPairSync("ed25519");
  const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const raw = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const publicKey = `whpk_${raw.toString("base64")}`;
  return {
    ...seal(sealer, accountId, pem),
    kind: "ed25519",
    publicKey,
    hint: secretHint(publicKey),
  };
}

function seal(sealer: Sealer, accountId: string, text: string) {
  const id = newId();
  const place = subscriptionSecretPlace({ id, accountId });
  return { id, accountId, ciphertext: sealer.seal(Buffer.from(text, "utf8"), place) };
}
