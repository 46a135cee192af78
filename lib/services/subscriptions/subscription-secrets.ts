import { generateKeyPairSync, randomBytes } from "node:crypto";
import { newId } from "#lib/base/ids.ts";
import { subscriptionSecretPlace } from "#lib/core/people/seal/seal-places.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { secretHint } from "#lib/core/verify/secret/secret-hint.ts";
import {
  addSecret,
  expireSecrets,
  type NewSecretRow,
} from "#lib/db/subscriptions/subscription-secrets.ts";
import {
  getSubscription,
  lockSubscription,
  touchSubscription,
} from "#lib/db/subscriptions/subscriptions.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { subscriptionSecretSchema } from "#lib/schema/send/subscription.ts";
import { recipientScope } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import {
  type NewSubscription,
  requireRoomForSecret,
  toSubscriptionTarget,
} from "./subscription-rules.ts";

const rotation = subscriptionSecretSchema.extend({ id: recordId });

/** Adds a secret. The previous ones sign too for `expirePreviousAfterSeconds`. */
export const rotateSubscriptionSecret = service({
  permission: "subscriptions:write",
  input: rotation,
  portalInput: rotation,
  run: async (context, input): Promise<NewSubscription> => {
    const { db, sealer, actor } = context;
    const { accountId } = actor;
    const { secret = generateSecret(), expirePreviousAfterSeconds } = input;
    const subscription = await db.$transaction(async (tx) => {
      const { id } = await lockSubscription(tx, accountId, input.id, recipientScope(actor));
      await expireSecrets(tx, id, expirePreviousAfterSeconds);
      await requireRoomForSecret(tx, id);
      await addSecret(tx, id, sealSecret(sealer, accountId, secret));
      await touchSubscription(tx, id);
      const after = await getSubscription(tx, accountId, id);
      const targets = [toSubscriptionTarget(after)];
      await audit(context, { event: "subscription.secret.rotated", targets }, tx);
      return after;
    });
    return { subscription, secret };
  },
});

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
