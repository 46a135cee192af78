import type { SealPlace } from "#lib/core/seal/sealer.ts";

/** Where the secrets of a subscription are sealed. */
export function subscriptionSecretPlace(accountId: string, secretId: string): SealPlace {
  return { accountId, table: "subscription_secrets", rowId: secretId, field: "ciphertext" };
}

/** Where the additional headers of a subscription are sealed. */
export function subscriptionHeadersPlace(accountId: string, subscriptionId: string): SealPlace {
  return {
    accountId,
    table: "subscriptions",
    rowId: subscriptionId,
    field: "headers_ciphertext",
  };
}
