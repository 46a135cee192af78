import type { Sealer } from "#lib/core/seal/sealer.ts";
import { hintHeaders } from "#lib/db/subscriptions/sealed-headers.ts";
import {
  type SubscriptionRecord,
  writeStatusReason,
} from "#lib/db/subscriptions/subscription-record.ts";
import type { NewSubscription } from "#lib/db/subscriptions/subscriptions.ts";
import { exactJson } from "#lib/web/views/api-json.ts";

/** A subscription in the API's responses, with only hints of its secrets and headers. */
export function showSubscription(subscription: SubscriptionRecord, sealer: Sealer) {
  const { id, receiverUrl, eventTypes, filter, recipient, description } = subscription;
  const { rateLimit, maxConcurrency, ordered, keyPair, metadata, retry, timeoutMs } = subscription;
  const { status, statusReason, failingSince, createdAt, updatedAt } = subscription;
  const hmac = subscription.secrets.filter(({ kind }) => kind === "hmac");
  const pair = subscription.secrets.find(({ kind }) => kind === "ed25519");
  return {
    id,
    receiverUrl,
    eventTypes,
    filter: exactJson(filter),
    recipient,
    description,
    headers: hintHeaders(sealer, subscription),
    rateLimit,
    maxConcurrency,
    ordered,
    keyPair,
    metadata,
    retry,
    timeoutMs,
    status,
    statusReason: statusReason === null ? null : writeStatusReason(statusReason),
    failingSince,
    secretHint: hmac[0]?.hint ?? null,
    secrets: hmac.map(({ id: secretId, hint, createdAt: madeAt, expiresAt }) => ({
      id: secretId,
      hint,
      createdAt: madeAt,
      expiresAt,
    })),
    publicKey: pair?.publicKey ?? null,
    createdAt,
    updatedAt,
  };
}

/** With the secret, which is shown once. */
export function showNewSubscription({ subscription, secret }: NewSubscription, sealer: Sealer) {
  return { ...showSubscription(subscription, sealer), secret };
}
