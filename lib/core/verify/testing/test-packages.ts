/**
 * For tests: the providers' own packages, and what they say. `signs` gives the headers that the
 * package makes; `accepts` throws or gives false for what the package refuses. What a package does
 * is the best proof that we do the same.
 */
import { createPublicKey } from "node:crypto";
import { createRequire } from "node:module";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import Mux from "@mux/mux-node";
import { Nango } from "@nangohq/node";
import { signWebhookPayload, verifyWebhookSignature } from "@notionhq/client";
import { sign as signGithub, verify as verifyGithub } from "@octokit/webhooks-methods";
import { Paddle } from "@paddle/paddle-node-sdk";
import { encodeSignatureHeader, isValidSignature } from "@sanity/webhook";
import { EventWebhook } from "@sendgrid/eventwebhook";
import "@shopify/shopify-api/adapters/node";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import { isValidSlackRequest } from "@slack/bolt/dist/receivers/verify-request.js";
import { WorkOS } from "@workos-inc/node";
import { v2 as cloudinary } from "cloudinary";
import { verifyKey } from "discord-interactions";
import DodoPayments from "dodopayments";
import { parse as parseGocardless } from "gocardless-nodejs/webhooks";
import ModernTreasury from "modern-treasury";
import Orb from "orb-billing";
import Pusher from "pusher";
import Razorpay from "razorpay";
import { validateWebhook as validateReplicate } from "replicate";
import { Resend } from "resend";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { StreamChat } from "stream-chat";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";

export type Headers = Readonly<Record<string, string>>;

/** The body is text, because that is what most packages take. `secret` is what the user pastes. */
export type PackageRequest = {
  readonly text: string;
  readonly headers: Headers;
  readonly secret: string;
  readonly nowMs: number;
};

export type ProviderPackage = {
  /** On npm. */
  readonly name: string;
  readonly accepts?: (request: PackageRequest) => unknown;
  readonly signs?: (request: Omit<PackageRequest, "headers">) => Headers | Promise<Headers>;
};

/**
 * A body that every package can read: no field that one would parse further, no character that
 * JSON.stringify would change.
 */
export function packageText(nowMs: number): string {
  const named = { id: "evt_1", type: "a.b", event: "a", object: "x" };
  return JSON.stringify({ ...named, events: [], data: {}, webhookTimestamp: nowMs });
}

const smartcar = createRequire(import.meta.url)("smartcar");
const stripeClient = new Stripe("sk_test_x");
const modernTreasury = new ModernTreasury({ apiKey: "k", organizationID: "o" });
const shopify = shopifyApi({
  apiKey: "key",
  apiSecretKey: "replaced with each request",
  apiVersion: ApiVersion.January26,
  hostName: "shop.example",
  isEmbeddedApp: false,
  logger: { log: () => {} },
});

const standard = signsLike("standardwebhooks", "webhook", StandardWebhook);
const svix = signsLike("svix", "svix", SvixWebhook);

/** By the id of the provider. */
export const providerPackages: Readonly<Record<string, ProviderPackage>> = {
  stripe: {
    name: "stripe",
    accepts: ({ text, headers, secret }) =>
      stripeClient.webhooks.constructEvent(text, headers["stripe-signature"] ?? "", secret),
    signs: ({ text, secret }) => ({
      "stripe-signature": stripeClient.webhooks.generateTestHeaderString({ payload: text, secret }),
    }),
  },
  github: {
    name: "@octokit/webhooks-methods",
    accepts: ({ text, headers, secret }) =>
      verifyGithub(secret, text, headers["x-hub-signature-256"] ?? ""),
    signs: async ({ text, secret }) => ({ "x-hub-signature-256": await signGithub(secret, text) }),
  },
  shopify: {
    name: "@shopify/shopify-api",
    accepts: async ({ text, headers, secret }) => {
      shopify.config.apiSecretKey = secret;
      const rawRequest = { method: "POST", url: "/", headers: { ...shopifyHeaders, ...headers } };
      const request = { rawBody: text, rawRequest, rawResponse: {} };
      return (await shopify.webhooks.validate(request as ShopifyRequest)).valid;
    },
  },
  slack: {
    name: "@slack/bolt",
    accepts: ({ text, headers, secret }) =>
      isValidSlackRequest({
        signingSecret: secret,
        body: text,
        headers: {
          "x-slack-signature": headers["x-slack-signature"] ?? "",
          "x-slack-request-timestamp": Number(headers["x-slack-request-timestamp"]),
        },
      }),
  },
  paddle: {
    name: "@paddle/paddle-node-sdk",
    accepts: ({ text, headers, secret }) =>
      new Paddle("key").webhooks.isSignatureValid(text, secret, headers["paddle-signature"] ?? ""),
  },
  linear: {
    name: "@linear/sdk",
    accepts: ({ text, headers, secret, nowMs }) =>
      new LinearWebhookClient(secret).verify(
        Buffer.from(text),
        headers["linear-signature"] ?? "",
        nowMs,
      ),
  },
  "standard-webhooks": standard,
  anthropic: standard,
  browserbase: standard,
  composio: standard,
  fathom: standard,
  folk: standard,
  "incident-io": standard,
  lithic: standard,
  liveblocks: standard,
  loops: standard,
  "recall-ai": standard,
  render: standard,
  openai: standard,
  "gitlab-signing": standard,
  /** The text of the secret is the key, so the package is given its base64. */
  polar: {
    name: "standardwebhooks",
    signs: ({ secret, ...rest }) =>
      standard.signs({ ...rest, secret: Buffer.from(secret).toString("base64") }),
  },
  replicate: {
    name: "replicate",
    accepts: ({ text: body, headers, secret }) =>
      validateReplicate({ ...messageOf(headers, "webhook"), body, secret }),
    signs: standard.signs,
  },
  "dodo-payments": {
    name: "dodopayments",
    accepts: ({ text, headers, secret: key }) =>
      new DodoPayments({ bearerToken: "b" }).webhooks.unwrap(text, { headers, key }),
    signs: standard.signs,
  },
  svix,
  clerk: svix,
  brex: svix,
  resend: {
    name: "resend",
    accepts: ({ text: payload, headers, secret: webhookSecret }) =>
      new Resend("re_x").webhooks.verify({
        payload,
        headers: messageOf(headers, "svix"),
        webhookSecret,
      }),
    signs: svix.signs,
  },
  razorpay: {
    name: "razorpay",
    accepts: ({ text, headers, secret }) =>
      Razorpay.validateWebhookSignature(text, headers["x-razorpay-signature"] ?? "", secret),
  },
  discord: {
    name: "discord-interactions",
    accepts: ({ text, headers, secret }) => {
      const [signature = "", time = ""] = [
        headers["x-signature-ed25519"],
        headers["x-signature-timestamp"],
      ];
      return verifyKey(text, signature, time, spki(secret).subarray(-32).toString("hex"));
    },
  },
  notion: {
    name: "@notionhq/client",
    accepts: ({ text: body, headers, secret: verificationToken }) =>
      verifyWebhookSignature({ body, signature: headers["x-notion-signature"], verificationToken }),
    signs: async ({ text: body, secret: verificationToken }) => ({
      "x-notion-signature": await signWebhookPayload({ body, verificationToken }),
    }),
  },
  sanity: {
    name: "@sanity/webhook",
    accepts: ({ text, headers, secret }) =>
      isValidSignature(text, headers["sanity-webhook-signature"] ?? "", secret),
    signs: async ({ text, secret, nowMs }) => ({
      "sanity-webhook-signature": await encodeSignatureHeader(text, nowMs, secret),
    }),
  },
  sendgrid: {
    name: "@sendgrid/eventwebhook",
    accepts: ({ text, headers, secret }) => {
      const webhook = new EventWebhook();
      const key = webhook.convertPublicKeyToECDSA(spki(secret).toString("base64"));
      const [signature = "", time = ""] = ["signature", "timestamp"].map(
        (name) => headers[`x-twilio-email-event-webhook-${name}`],
      );
      return webhook.verifySignature(key, text, signature, time);
    },
  },
  pusher: {
    name: "pusher",
    accepts: ({ text: rawBody, headers, secret }) => {
      const all = { ...headers, "x-pusher-key": "k", "content-type": "application/json" };
      const pusher = new Pusher({ appId: "1", key: "k", secret, cluster: "eu" });
      return pusher.webhook({ headers: all, rawBody }).isValid();
    },
  },
  cloudinary: {
    name: "cloudinary",
    accepts: ({ text, headers, secret }) => {
      cloudinary.config({ api_secret: secret, cloud_name: "c", api_key: "k" });
      const [signature = "", time] = [
        headers["x-cld-signature"],
        Number(headers["x-cld-timestamp"]),
      ];
      return cloudinary.utils.verifyNotificationSignature(text, time, signature);
    },
  },
  stream: {
    name: "stream-chat",
    accepts: ({ text, headers, secret }) =>
      new StreamChat("key", secret).verifyAndParseWebhook(
        Buffer.from(text),
        headers["x-signature"] ?? "",
      ),
  },
  workos: {
    name: "@workos-inc/node",
    accepts: ({ text, headers, secret }) => {
      const sigHeader = headers["workos-signature"] ?? "";
      return new WorkOS("sk_x").webhooks.verifyHeader({
        payload: JSON.parse(text),
        sigHeader,
        secret,
      });
    },
  },
  mux: {
    name: "@mux/mux-node",
    accepts: ({ text, headers, secret }) =>
      new Mux({ tokenId: "i", tokenSecret: "s" }).webhooks.verifySignature(text, headers, secret),
  },
  "modern-treasury": {
    name: "modern-treasury",
    accepts: ({ text, headers, secret: key }) =>
      modernTreasury.webhooks.validateSignature(text, headers, { key }),
    signs: async ({ text, secret: key }) => ({
      "x-signature": await modernTreasury.webhooks.getSignature(text, { key }),
    }),
  },
  orb: {
    name: "orb-billing",
    accepts: ({ text, headers, secret }) =>
      new Orb({ apiKey: "k" }).webhooks.verifySignature(text, headers, secret),
  },
  nango: {
    name: "@nangohq/node",
    accepts: ({ text, headers, secret }) =>
      new Nango({ secretKey: secret }).verifyIncomingWebhookRequest(text, { ...headers }),
  },
  smartcar: {
    name: "smartcar",
    accepts: ({ text, headers, secret }) =>
      smartcar.verifyPayload(secret, headers["sc-signature"], JSON.parse(text)),
    signs: ({ text, secret }) => ({ "sc-signature": smartcar.hashChallenge(secret, text) }),
  },
  gocardless: {
    name: "gocardless-nodejs",
    accepts: ({ text, headers, secret }) =>
      parseGocardless(text, secret, headers["webhook-signature"] ?? ""),
  },
};

type ShopifyRequest = Parameters<typeof shopify.webhooks.validate>[0];

/** What the package wants beside the signature. */
const shopifyHeaders: Headers = {
  "x-shopify-topic": "orders/create",
  "x-shopify-shop-domain": "a.myshopify.com",
  "x-shopify-api-version": "2026-01",
  "x-shopify-webhook-id": "w1",
};

type Signer = new (
  secret: string,
) => {
  sign(id: string, time: Date, text: string): string;
  verify(text: string, headers: Record<string, string>): unknown;
};

/** Both packages of Standard Webhooks, which differ in the names of their headers only. */
function signsLike(name: string, prefix: string, Webhook: Signer): Required<ProviderPackage> {
  return {
    name,
    accepts: ({ text, headers, secret }) => new Webhook(secret).verify(text, { ...headers }),
    signs: ({ text, secret, nowMs }) => ({
      [`${prefix}-id`]: "msg_1",
      [`${prefix}-timestamp`]: String(Math.floor(nowMs / 1000)),
      [`${prefix}-signature`]: new Webhook(secret).sign("msg_1", new Date(nowMs), text),
    }),
  };
}

function messageOf(headers: Headers, prefix: string) {
  const [id = "", timestamp = "", signature = ""] = ["id", "timestamp", "signature"].map(
    (name) => headers[`${prefix}-${name}`],
  );
  return { id, timestamp, signature };
}

function spki(pem: string): Buffer {
  return createPublicKey(pem).export({ type: "spki", format: "der" });
}
