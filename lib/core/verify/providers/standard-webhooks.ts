/**
 * Standard Webhooks 1.0.0 and senders that use Svix: one scheme, two families of header names.
 * `v1a` (ed25519) signatures in the same header are ignored: a public key can never pass as a `v1` secret.
 */
import type { Provider } from "../provider.ts";
import type { MacScheme } from "../scheme.ts";

const whsecHelp =
  "The signing secret, whole, with its whsec_. What follows the prefix is base64 and is decoded.";

export const standardWebhooks: Provider = {
  id: "standard-webhooks",
  name: "Standard Webhooks",
  scheme: standardScheme("webhook", { prefixRequired: false }),
  eventId: [{ from: "header", name: "webhook-id" }],
  eventType: [{ from: "body", path: "type" }],
  secretHelp: whsecHelp,
  whereToPaste:
    "In the sender's webhook settings, add an endpoint with the catch URL and copy its signing secret.",
  docsUrl: "https://www.standardwebhooks.com",
  secretStartsWith: "whsec_",
};

export const svix: Provider = {
  id: "svix",
  name: "Svix",
  scheme: standardScheme("svix", { prefixRequired: false }),
  eventId: [{ from: "header", name: "svix-id" }],
  eventType: [
    { from: "body", path: "type" },
    { from: "body", path: "eventType" },
  ],
  secretHelp: whsecHelp,
  whereToPaste:
    "In the sender's Svix portal: Endpoints → Add Endpoint with the catch URL, then copy its Signing Secret.",
  docsUrl: "https://docs.svix.com/receiving/verifying-payloads/how-manual",
  secretStartsWith: "whsec_",
};

export const clerk: Provider = {
  ...svix,
  id: "clerk",
  name: "Clerk",
  eventType: [{ from: "body", path: "type" }],
  whereToPaste:
    "Clerk Dashboard → Configure → Webhooks → Add Endpoint: paste the catch URL, then copy the Signing Secret of the endpoint.",
  docsUrl: "https://clerk.com/docs/webhooks/overview",
};

export const resend: Provider = {
  ...svix,
  id: "resend",
  name: "Resend",
  eventType: [{ from: "body", path: "type" }],
  whereToPaste:
    "Resend → Webhooks → Add Webhook: paste the catch URL, then copy the Signing Secret on the webhook's page.",
  docsUrl: "https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests",
};

/** OpenAI's own package decodes a secret only with its prefix, so without one the key would be another. */
export const openai: Provider = {
  ...standardWebhooks,
  id: "openai",
  name: "OpenAI",
  scheme: standardScheme("webhook", { prefixRequired: true }),
  whereToPaste:
    "platform.openai.com → Settings → your project → Webhooks → Create: paste the catch URL and copy the signing secret, which is shown once.",
  docsUrl: "https://platform.openai.com/docs/guides/webhooks",
};

/** `prefix` is that of the header names: `webhook-id`, `svix-id`. */
export function standardScheme(prefix: string, { prefixRequired }: { prefixRequired: boolean }): MacScheme {
  return {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "base64",
    signature: {
      sources: [{ from: "header", name: `${prefix}-signature` }],
      format: { type: "pairs", itemSeparator: " ", keySeparator: ",", key: "v1" },
    },
    signed: {
      template: "{id}.{timestamp}.{body}",
      values: { id: { from: "header", name: `${prefix}-id` } },
    },
    secret: { decode: "base64", stripPrefix: "whsec_", prefixRequired },
    timestamp: {
      source: { from: "header", name: `${prefix}-timestamp` },
      unit: "s",
      pastSeconds: 300,
      futureSeconds: 300,
    },
  };
}
