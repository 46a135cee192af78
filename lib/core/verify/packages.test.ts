/** The senders' own packages: they sign and we verify, or we sign and they verify. */
import { randomBytes } from "node:crypto";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { sign as signGithub, verify as verifyGithub } from "@octokit/webhooks-methods";
import { Paddle } from "@paddle/paddle-node-sdk";
import "@shopify/shopify-api/adapters/node";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import { isValidSlackRequest } from "@slack/bolt/dist/receivers/verify-request.js";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { findProvider } from "./providers.ts";
import type { Scheme } from "./scheme.ts";
import { type SignInput, signRequest } from "./sign.ts";
import { flipBit, requestOf } from "./test-request.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = Date.now();
const whsec = `whsec_${randomBytes(32).toString("base64")}`;
const text = JSON.stringify({ id: "evt_1", type: "invoice.paid", webhookTimestamp: nowMs, name: "Zoë ☃" });
const body = Buffer.from(text, "utf8");

function schemeOf(id: string): Scheme {
  const provider = findProvider(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  return provider.scheme;
}

function verify(id: string, secret: string, headers: Record<string, string>, bytes: Uint8Array = body) {
  return prepareVerifier({ name: id, scheme: schemeOf(id), secrets: [secret] })(
    requestOf(headers, bytes),
    nowMs,
  );
}

function sign(id: string, secret: string, input: Partial<SignInput> = {}) {
  return signRequest(schemeOf(id), secret, { body, timestampMs: nowMs, id: "msg_1", ...input });
}

function expectOnlyExactBytes(id: string, secret: string, headers: Record<string, string>) {
  expect(verify(id, secret, headers)).toEqual({ outcome: "verified", scheme: id });
  const reason = { outcome: "failed", reason: "signature_mismatch" };
  expect(verify(id, secret, headers, flipBit(body, 77))).toMatchObject(reason);
  expect(verify(id, secret, headers, Buffer.concat([body, Buffer.from("\n")]))).toMatchObject(reason);
}

describe("stripe", () => {
  const stripe = new Stripe("sk_test_x");

  it("what the package signs is verified, and with one bit flipped it is not", () => {
    const header = stripe.webhooks.generateTestHeaderString({ payload: text, secret: whsec });
    expectOnlyExactBytes("stripe", whsec, { "stripe-signature": header });
  });

  it("what we sign the package verifies", () => {
    const header = sign("stripe", whsec)["stripe-signature"] ?? "";
    expect(stripe.webhooks.constructEvent(text, header, whsec).id).toBe("evt_1");
    expect(() => stripe.webhooks.constructEvent(`${text} `, header, whsec)).toThrow();
  });
});

describe("github", () => {
  it("what the package signs is verified, and with one bit flipped it is not", async () => {
    expectOnlyExactBytes("github", "s3cret", { "X-Hub-Signature-256": await signGithub("s3cret", text) });
  });

  it("what we sign the package verifies", async () => {
    expect(await verifyGithub("s3cret", text, sign("github", "s3cret")["x-hub-signature-256"] ?? "")).toBe(
      true,
    );
  });
});

describe("standard webhooks and svix", () => {
  const timestamp = String(Math.floor(nowMs / 1000));

  const followers =
    "anthropic browserbase composio dodo-payments fathom folk incident-io lithic liveblocks loops";
  const others = ["recall-ai", "render", "replicate", "openai", "gitlab-signing"];
  it.each(["standard-webhooks", ...followers.split(" "), ...others])(
    "%s: what standardwebhooks signs is verified",
    (id) => {
      expectOnlyExactBytes(id, whsec, {
        "webhook-id": "msg_1",
        "webhook-timestamp": timestamp,
        "webhook-signature": new StandardWebhook(whsec).sign("msg_1", new Date(nowMs), text),
      });
    },
  );

  it.each(["svix", "clerk", "resend", "brex"])("%s: what svix signs is verified", (id) => {
    expectOnlyExactBytes(id, whsec, {
      "svix-id": "msg_1",
      "svix-timestamp": timestamp,
      "svix-signature": new SvixWebhook(whsec).sign("msg_1", new Date(nowMs), text),
    });
  });

  it("polar: what standardwebhooks signs with the text of the secret as its key is verified", () => {
    const encoded = Buffer.from("polar_whs_x").toString("base64");
    expectOnlyExactBytes("polar", "polar_whs_x", {
      "webhook-id": "msg_1",
      "webhook-timestamp": timestamp,
      "webhook-signature": new StandardWebhook(encoded).sign("msg_1", new Date(nowMs), text),
    });
  });

  it("what we sign both packages verify", () => {
    expect(() => new StandardWebhook(whsec).verify(text, sign("standard-webhooks", whsec))).not.toThrow();
    expect(() => new SvixWebhook(whsec).verify(text, sign("svix", whsec))).not.toThrow();
    expect(() => new SvixWebhook(whsec).verify(`${text} `, sign("svix", whsec))).toThrow();
  });

  it("a body that is not UTF-8 is verified by its bytes", () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x80]);
    const headers = sign("standard-webhooks", whsec, { body: bytes });
    expect(verify("standard-webhooks", whsec, headers, bytes).outcome).toBe("verified");
  });
});

it("shopify: what we sign the package verifies, in both families of headers", async () => {
  const shopify = shopifyApi({
    apiKey: "key",
    apiSecretKey: "shpss_secret",
    apiVersion: ApiVersion.January26,
    hostName: "shop.example",
    isEmbeddedApp: false,
    logger: { log: () => {} },
  });
  const hmac = sign("shopify", "shpss_secret")["x-shopify-hmac-sha256"] ?? "";
  for (const prefix of ["x-shopify-", "shopify-"]) {
    const headers = Object.fromEntries(
      Object.entries({
        "hmac-sha256": hmac,
        topic: "orders/create",
        "shop-domain": "a.myshopify.com",
        "api-version": "2026-01",
        "webhook-id": "w1",
        "event-id": "e1",
        handle: "h",
        action: "create",
        "resource-id": "1",
        "triggered-at": "2026-01-01T00:00:00Z",
      }).map(([name, value]) => [prefix + name, value]),
    );
    const rawRequest = { method: "POST", url: "/", headers };
    const validate = (rawBody: string) =>
      shopify.webhooks.validate({ rawBody, rawRequest, rawResponse: {} } as Parameters<
        typeof shopify.webhooks.validate
      >[0]);
    expect(await validate(text)).toMatchObject({ valid: true });
    expect(await validate(`${text} `)).toMatchObject({ valid: false });
    expectOnlyExactBytes("shopify", "shpss_secret", headers);
  }
});

it("slack: what we sign bolt verifies, and with one bit flipped neither does", () => {
  const headers = sign("slack", "8f742231b10e8888");
  const check = (bodyText: string) =>
    isValidSlackRequest({
      signingSecret: "8f742231b10e8888",
      body: bodyText,
      headers: {
        "x-slack-signature": headers["x-slack-signature"] ?? "",
        "x-slack-request-timestamp": Number(headers["x-slack-request-timestamp"]),
      },
    });
  expect([check(text), check(`${text} `)]).toEqual([true, false]);
  expectOnlyExactBytes("slack", "8f742231b10e8888", headers);
});

it("paddle: what we sign the package verifies, and with one bit flipped neither does", async () => {
  const { webhooks } = new Paddle("key");
  const headers = sign("paddle", "pdl_ntfset_x", { timestampMs: Date.now() });
  const header = headers["paddle-signature"] ?? "";
  expect(await webhooks.isSignatureValid(text, "pdl_ntfset_x", header)).toBe(true);
  expect(await webhooks.isSignatureValid(`${text} `, "pdl_ntfset_x", header)).toBe(false);
  expectOnlyExactBytes("paddle", "pdl_ntfset_x", headers);
});

it("linear: what we sign the package verifies, and with one bit flipped neither does", () => {
  const client = new LinearWebhookClient("lin_wh_x");
  const headers = sign("linear", "lin_wh_x");
  const signature = headers["linear-signature"] ?? "";
  expect(client.verify(body, signature, nowMs)).toBe(true);
  expect(() => client.verify(Buffer.from(`${text} `), signature, nowMs)).toThrow();
  expectOnlyExactBytes("linear", "lin_wh_x", headers);
});
