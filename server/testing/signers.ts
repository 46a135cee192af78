import { sign as signGithub } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { signRequest } from "#lib/core/verify/sign.ts";

/** The headers that prove a body. */
type Signed = (body: string) => Promise<Record<string, string>> | Record<string, string>;

const whsec = `whsec_${Buffer.from("a secret of 24 bytes, ok").toString("base64")}`;
export const customScheme: Scheme = {
  kind: "mac",
  mac: "hmac",
  hash: "sha512",
  encoding: "base64",
  signature: {
    sources: [{ from: "header", name: "x-sig" }],
    format: { type: "prefixed", prefix: "s=" },
  },
  signed: { template: "{method}.{body}" },
  secret: { decode: "utf8" },
};

/** Signs with the inverse of the scheme. */
export function byInterpreter(provider: string, secret: string, scheme?: Scheme): Signed {
  const known = scheme ?? findProvider(provider)?.scheme;
  if (known === undefined) throw new Error(provider);
  return (body) =>
    signRequest(known, secret, { body: Buffer.from(body), timestampMs: Date.now(), id: "msg_1" });
}

export const stripeSecret = "whsec_stripe_is_not_decoded";
/** The header `stripe-signature` of a body, signed so many seconds ago. */
export function signStripe(payload: string, secondsAgo = 0): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const signed = { payload, secret: stripeSecret, timestamp };
  return { "stripe-signature": Stripe.webhooks.generateTestHeaderString(signed) };
}

type Signer = readonly [provider: string, secret: string, sign: Signed];

/** Signed by the provider's own package where there is one. */
export const signers: readonly Signer[] = [
  ["stripe", stripeSecret, (body) => signStripe(body)],
  [
    "github",
    "It's a Secret",
    async (body) => ({ "x-hub-signature-256": await signGithub("It's a Secret", body) }),
  ],
  [
    "svix",
    whsec,
    (body) => ({
      "svix-id": "msg_1",
      "svix-timestamp": String(Math.floor(Date.now() / 1000)),
      "svix-signature": new SvixWebhook(whsec).sign("msg_1", new Date(), body),
    }),
  ],
  [
    "standard-webhooks",
    whsec,
    (body) => ({
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": new StandardWebhook(whsec).sign("msg_1", new Date(), body),
    }),
  ],
  ...(["shopify", "slack", "paddle", "bearer", "gitlab"] as const).map(
    (provider): Signer => [
      provider,
      "a-shared-secret-1",
      byInterpreter(provider, "a-shared-secret-1"),
    ],
  ),
  ["basic-auth", "user:pass word", byInterpreter("basic-auth", "user:pass word")],
  ["linear", "lin_wh_secret_of_linear", byInterpreter("linear", "lin_wh_secret_of_linear")],
  ["custom", "custom secret", byInterpreter("custom", "custom secret", customScheme)],
];

/** A body that is also a new event. */
export function newBody(): string {
  return JSON.stringify({ id: crypto.randomUUID(), type: "a.b", webhookTimestamp: Date.now() });
}

/** The fields of a hook of this provider. */
export const verifying = (provider: string, secret?: string) => ({
  provider,
  ...(secret === undefined ? {} : { signingSecret: secret }),
  ...(provider === "custom" ? { verification: customScheme } : {}),
});

/** Another secret of the same form. */
export function previousSecret(provider: string, secret: string): string {
  if (provider === "basic-auth") return "user:old";
  return secret === whsec
    ? `whsec_${Buffer.from("another secret 24 bytes!").toString("base64")}`
    : "the-old-secret-1";
}
