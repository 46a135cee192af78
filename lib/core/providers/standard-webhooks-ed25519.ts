import type { PublicKeyScheme } from "#lib/core/verify/scheme/scheme.ts";
import type { Provider } from "./shapes/provider.ts";
import { byStandardWebhooks, standardScheme } from "./shapes/standard-webhooks.ts";

function standardEd25519(): PublicKeyScheme {
  const {
    mac: _mac,
    hash: _hash,
    ...shared
  } = standardScheme("webhook", { prefixRequired: false });
  return {
    ...shared,
    kind: "publicKey",
    algorithm: "ed25519",
    signature: {
      ...shared.signature,
      format: { type: "pairs", itemSeparator: " ", keySeparator: ",", key: "v1a" },
    },
    secret: { decode: "base64", stripPrefix: "whpk_" },
  };
}

/** `v1` signatures in the same header are ignored: a hook accepts only one of the two. */
export const standardWebhooksEd25519: Provider = {
  ...byStandardWebhooks,
  id: "standard-webhooks-ed25519",
  name: "Standard Webhooks (public key)",
  scheme: standardEd25519(),
  secretHelp: "The public key, including whpk_. What follows the prefix is base64 and is decoded.",
  whereToPaste:
    "In the provider's webhook settings, add an endpoint with the catch URL and copy its public key.",
  secretStartsWith: "whpk_",
  docsUrl: "https://www.standardwebhooks.com",
  proof: { examples: 1, describedBy: "provider" },
  listing: { group: "scheme", place: 2 },
};
