import { createRequire } from "node:module";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import Mux from "@mux/mux-node";
import { Nango } from "@nangohq/node";
import { signWebhookPayload, verifyWebhookSignature } from "@notionhq/client";
import { sign as signGithub, verify as verifyGithub } from "@octokit/webhooks-methods";
import { Paddle } from "@paddle/paddle-node-sdk";
import { encodeSignatureHeader, isValidSignature } from "@sanity/webhook";
import "@shopify/shopify-api/adapters/node";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import { isValidSlackRequest } from "@slack/bolt/dist/receivers/verify-request.js";
import { WorkOS } from "@workos-inc/node";
import { v2 as cloudinary } from "cloudinary";
import { parse as parseGocardless } from "gocardless-nodejs/webhooks";
import ModernTreasury from "modern-treasury";
import Orb from "orb-billing";
import Pusher from "pusher";
import Razorpay from "razorpay";
import { StreamChat } from "stream-chat";
import Stripe from "stripe";

import type { Headers, ProviderPackage } from "./provider-package.ts";

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

/** Providers that sign with an HMAC of their own form. */
export const hmacPackages: Readonly<Record<string, ProviderPackage>> = {
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
  razorpay: {
    name: "razorpay",
    accepts: ({ text, headers, secret }) =>
      Razorpay.validateWebhookSignature(text, headers["x-razorpay-signature"] ?? "", secret),
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

/** Headers that the package needs in addition to the signature. */
const shopifyHeaders: Headers = {
  "x-shopify-topic": "orders/create",
  "x-shopify-shop-domain": "a.myshopify.com",
  "x-shopify-api-version": "2026-01",
  "x-shopify-webhook-id": "w1",
};
