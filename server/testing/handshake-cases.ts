import { createHmac, hash } from "node:crypto";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { toVerifyToken } from "#lib/core/verify/handshake/verify-token.ts";
import { signRequest } from "#lib/core/verify/sign.ts";
import { sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import type { TestHook } from "#lib/db/testing/test-hook.ts";

export type Sent = {
  suffix?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
};

/** A JSON body signed as the provider does, by the inverse of the scheme. */
function signed(
  provider: string,
  secret: string,
  value: unknown,
  headers: Record<string, string> = {},
): Sent {
  const scheme = findProvider(provider)?.scheme;
  if (scheme === undefined) throw new Error(provider);
  const body = typeof value === "string" ? value : JSON.stringify(value);
  const input = { body: Buffer.from(body), timestampMs: Date.now(), id: "msg_1", headers };
  return {
    body,
    headers: {
      "content-type": "application/json",
      ...headers,
      ...signRequest(scheme, secret, input),
    },
  };
}

const plainJson = (value: unknown): Sent => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});
export const get = (query: string): Sent => ({ method: "GET", suffix: `?${query}` });
const discord = sampleSecret(findProvider("discord")?.scheme ?? { kind: "bearer" }, "d");
export const hmac = (encoding: "hex" | "base64", text: string) =>
  createHmac("sha256", "a secret").update(text).digest(encoding);

/** The query of WeChat's GET. */
function signedQuery(secret: string, echo: string): string {
  const [time, nonce] = [String(Math.floor(Date.now() / 1000)), "415670741"];
  const signature = hash("sha1", [secret, time, nonce].toSorted().join(""));
  return `signature=${signature}&echostr=${echo}&timestamp=${time}&nonce=${nonce}`;
}

/** A handshake of a provider, and the response that it expects. */
type HandshakeCase = {
  readonly provider: string;
  readonly secret?: string;
  readonly settings?: Record<string, string>;
  readonly sent: (hook: TestHook) => Sent;
  readonly makeText?: (hook: TestHook) => string;
  readonly status?: number;
  readonly text: string;
  readonly type?: string | null;
  readonly headers?: Record<string, string>;
  readonly isVerified?: true;
};

export const plain = "text/plain; charset=utf-8";
export const json = "application/json";
const eventGrid = [
  {
    id: "1",
    eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
    data: { validationCode: "512d38b6" },
  },
];

export const handshakeCases: readonly HandshakeCase[] = [
  {
    provider: "meta",
    sent: (hook) =>
      get(
        `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${toVerifyToken(hook.key)}`,
      ),
    text: "1158201444",
    type: plain,
  },
  { provider: "dropbox", sent: () => get("challenge=abc%2Bd"), text: "abc+d", type: plain },
  { provider: "nylas", sent: () => get("challenge=abc"), text: "abc", type: plain },
  {
    provider: "microsoft-graph",
    sent: () => ({ suffix: "?validationToken=Validation%3a+Testing", body: "" }),
    text: "Validation: Testing",
    type: plain,
  },
  {
    provider: "x",
    sent: () => get("crc_token=challenge&nonce=n"),
    text: JSON.stringify({ response_token: `sha256=${hmac("base64", "challenge")}` }),
    type: json,
  },
  {
    provider: "okta",
    sent: () => ({ method: "GET", headers: { "x-okta-verification-challenge": "once" } }),
    text: '{"verification":"once"}',
    type: json,
  },
  {
    provider: "slack",
    sent: () => signed("slack", "a secret", { type: "url_verification", challenge: "3eZbrw1aB" }),
    text: "3eZbrw1aB",
    type: plain,
    isVerified: true,
  },
  {
    provider: "twitch",
    sent: () =>
      signed(
        "twitch",
        "a secret",
        { challenge: "pogchamp" },
        {
          "twitch-eventsub-message-type": "webhook_callback_verification",
        },
      ),
    text: "pogchamp",
    type: plain,
    isVerified: true,
  },
  {
    provider: "azure-event-grid",
    sent: () => ({
      suffix: "?token=a%20secret",
      headers: { "content-type": json },
      body: JSON.stringify(eventGrid),
    }),
    text: '{"validationResponse":"512d38b6"}',
    type: json,
    isVerified: true,
  },
  {
    provider: "cloudevents",
    sent: () => ({
      method: "OPTIONS",
      headers: {
        "webhook-request-origin": "eventemitter.example.com",
        "webhook-request-rate": "120",
      },
    }),
    text: "",
    type: null,
    headers: {
      "webhook-allowed-origin": "eventemitter.example.com",
      "webhook-allowed-rate": "*",
      allow: "POST",
    },
  },
  {
    provider: "zoom",
    sent: () =>
      signed("zoom", "a secret", {
        event: "endpoint.url_validation",
        payload: { plainToken: "q" },
      }),
    text: JSON.stringify({ plainToken: "q", encryptedToken: hmac("hex", "q") }),
    type: json,
    isVerified: true,
  },
  {
    provider: "discord",
    secret: discord.pasted,
    sent: () => signed("discord", discord.signing, { type: 1 }),
    text: '{"type":1}',
    type: json,
    isVerified: true,
  },
  {
    provider: "discord",
    secret: discord.pasted,
    sent: () => signed("discord", discord.signing, { type: 0 }),
    status: 204,
    text: "",
    type: null,
    isVerified: true,
  },
  {
    provider: "monday",
    sent: () => plainJson({ challenge: "c1" }),
    text: '{"challenge":"c1"}',
    type: json,
  },
  {
    provider: "braintree",
    settings: { publicKey: "c4vx3p2tgkyvqbrn" },
    sent: () => get("bt_challenge=20f9f8ed05f77439fe955c977e4c8a53"),
    text: `c4vx3p2tgkyvqbrn|${createHmac("sha1", hash("sha1", "a secret", "buffer"))
      .update("20f9f8ed05f77439fe955c977e4c8a53")
      .digest("hex")}`,
    type: plain,
  },
  {
    provider: "ebay",
    secret: sampleSecret(findProvider("ebay")?.scheme ?? { kind: "bearer" }, "ebay").pasted,
    sent: () => get("challenge_code=71745723-d031-455c-bfa5-f90d11b4f20a"),
    text: "",
    makeText: (hook) =>
      JSON.stringify({
        challengeResponse: hash(
          "sha256",
          `71745723-d031-455c-bfa5-f90d11b4f20a${toVerifyToken(hook.key)}https://hooks.example${hook.path}`,
        ),
      }),
    type: json,
  },
  { provider: "trello", sent: () => ({ method: "HEAD" }), text: "", type: null },
  { provider: "mandrill", sent: () => ({ method: "HEAD" }), text: "", type: null },
  { provider: "mailchimp", sent: () => ({ method: "GET" }), text: "", type: null },
  {
    provider: "xero",
    sent: () =>
      signed("xero", "a secret", { events: [], firstEventSequence: 0, entropy: "S0m3r4Nd0mt3xt" }),
    text: "",
    type: null,
    isVerified: true,
  },
  {
    provider: "woocommerce",
    sent: () => ({
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "WooCommerce/10.3.0 Hookshot (WordPress/6.8)",
      },
      body: "webhook_id=12",
    }),
    text: "",
    type: null,
  },
  {
    provider: "google-channels",
    sent: () => ({
      headers: { "x-goog-channel-token": "a secret", "x-goog-resource-state": "sync" },
    }),
    text: "",
    type: null,
    isVerified: true,
  },
  {
    provider: "wechat",
    sent: () => get(signedQuery("a secret", "4375120948345356249")),
    text: "4375120948345356249",
    type: plain,
    isVerified: true,
  },
];
