/**
 * Packages of providers with code schemes, for tests. `accepts` throws or returns false if the
 * package rejects a delivery; `signs` returns what it would send. `altered` changes what is signed.
 */
import { createServer, globalAgent } from "node:https";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { verifyRequest as verifyContentful } from "@contentful/node-apps-toolkit";
import { EventCallbackHelper, EventCallbackRequest } from "@dropbox/sign";
import { Receiver } from "@upstash/qstash";
import { verifySignature as verifyVonage } from "@vonage/jwt";
import { OAuth2Client } from "google-auth-library";
import { compactVerify, importSPKI } from "jose";
import { WebhookReceiver } from "livekit-server-sdk";
import { WebhookSignatureValidator } from "mercadopago";
import twilio from "twilio";
import { readMultipart } from "#lib/core/mapping/payload/multipart.ts";
import { sampleKeyId } from "#lib/core/verify/jwt/jwt-scheme.ts";
import type { Settings, SignedDelivery } from "#lib/core/verify/scheme/code-scheme.ts";
import { testCertificate } from "#lib/net/testing/test-certificate.ts";
import { acceptsNotification } from "./app-store-package.ts";
import { sampleChain } from "./test-sample.ts";

export type CodeDelivery = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly secret: string;
  readonly settings: Settings;
};

type CodeProviderPackage = {
  /** The name on npm. */
  readonly name: string;
  readonly accepts: (delivery: CodeDelivery) => unknown;
  readonly signs?: (
    secret: string,
    settings: Settings,
    url: string,
    text: string,
  ) => SignedDelivery;
  readonly altered: (delivery: CodeDelivery) => Partial<CodeDelivery>;
};

const require = createRequire(import.meta.url);
const plivo = require("plivo/dist/utils/security.js");
const plivoV3 = require("plivo/dist/utils/v3Security.js");
const AdyenValidator = require("@adyen/api-library/lib/src/utils/hmacValidator.js").default;
const braintree = require("braintree");
const hygraph = require("@hygraph/utils");
const messagebird = require("messagebird/lib/webhook-signature-jwt");
const SnsValidator = require("sns-validator");

const otherText =
  (from: string, to: string) =>
  ({ text }: CodeDelivery) => ({ text: text.replace(from, to) });
const otherUrl = ({ url }: CodeDelivery) => ({ url: url.replace("k3y", "k4y") });
const fieldsOf = (text: string) => Object.fromEntries(new URLSearchParams(text));

/** Packages by provider id. */
export const codeProviderPackages: Readonly<Record<string, CodeProviderPackage>> = {
  twilio: {
    name: "twilio",
    accepts: ({ url, headers, text, secret }) =>
      twilio.validateRequest(secret, headers["x-twilio-signature"] ?? "", url, fieldsOf(text)),
    signs: (secret, _settings, url, text) => ({
      headers: {
        "x-twilio-signature": twilio.getExpectedTwilioSignature(secret, url, fieldsOf(text)),
      },
      body: Buffer.from(text),
      url,
    }),
    altered: otherText("555", "556"),
  },
  plivo: {
    name: "plivo",
    accepts: ({ url, headers, secret }) =>
      plivo.validateSignature(
        url,
        headers["x-plivo-signature-v2-nonce"],
        headers["x-plivo-signature-v2"],
        secret,
      ),
    altered: otherUrl,
  },
  "plivo-v3": {
    name: "plivo",
    accepts: ({ url, headers, text, secret }) =>
      plivoV3.validateV3Signature(
        "POST",
        url,
        headers["x-plivo-signature-v3-nonce"],
        secret,
        headers["x-plivo-signature-v3"],
        fieldsOf(text),
      ),
    altered: otherText("555", "556"),
  },
  adyen: {
    name: "@adyen/api-library",
    accepts: ({ text, secret }) =>
      JSON.parse(text).notificationItems.every((entry: { NotificationRequestItem: unknown }) =>
        new AdyenValidator().validateHMAC(entry.NotificationRequestItem, secret),
      ),
    signs: (secret, _settings, url, text) => {
      const body = JSON.parse(text);
      for (const { NotificationRequestItem: item } of body.notificationItems) {
        item.additionalData = { hmacSignature: new AdyenValidator().calculateHmac(item, secret) };
      }
      return { headers: {}, body: Buffer.from(JSON.stringify(body)), url };
    },
    altered: otherText("8825", "8826"),
  },
  braintree: {
    name: "braintree",
    accepts: ({ text, secret, settings }) => {
      const { bt_signature: signature, bt_payload: payload } = fieldsOf(text);
      return (
        braintreeOf(secret, settings).webhookNotification.validateSignature(signature, payload) ===
        null
      );
    },
    signs: (secret, settings, url) => {
      const sample = braintreeOf(secret, settings).webhookTesting.sampleNotification("check", "1");
      return { headers: {}, body: Buffer.from(new URLSearchParams(sample).toString()), url };
    },
    altered: otherText("bt_payload=", "bt_payload=AAAA"),
  },
  "mercado-pago": {
    name: "mercadopago",
    accepts: ({ url, headers, secret }) => {
      WebhookSignatureValidator.validate({
        xSignature: headers["x-signature"],
        xRequestId: headers["x-request-id"],
        dataId: new URL(url).searchParams.get("data.id"),
        secret,
      });
    },
    altered: ({ headers }) => ({ headers: { ...headers, "x-request-id": "msg_2" } }),
  },
  contentful: {
    name: "@contentful/node-apps-toolkit",
    accepts: ({ url, headers, text: body, secret }) => {
      const { pathname, search } = new URL(url);
      return verifyContentful(secret, {
        method: "POST",
        path: pathname + search,
        headers: { ...headers },
        body,
      });
    },
    altered: otherText("evt_1", "evt_2"),
  },
  "dropbox-sign": {
    name: "@dropbox/sign",
    accepts: ({ headers, text, secret }) => {
      const [field] = readMultipart(Buffer.from(text), headers["content-type"] ?? "") ?? [];
      return EventCallbackHelper.isValid(
        secret,
        EventCallbackRequest.init(JSON.parse(field?.text ?? "")),
      );
    },
    altered: otherText("callback_test", "callback_rest"),
  },
  hygraph: {
    name: "@hygraph/utils",
    accepts: ({ headers, text: rawPayload, secret }) =>
      hygraph.verifyWebhookSignature({ rawPayload, signature: headers["gcms-signature"], secret }),
    signs: (secret, _settings, url, rawPayload) => ({
      headers: { "gcms-signature": hygraph.generateWebhookSignature({ rawPayload, secret }) },
      body: Buffer.from(rawPayload),
      url,
    }),
    altered: otherText("evt_1", "evt_2"),
  },
  livekit: {
    name: "livekit-server-sdk",
    accepts: ({ headers, text, secret }) =>
      new LivekitReceiver(secret).check(text, headers.authorization ?? ""),
    altered: otherText("evt_1", "evt_2"),
  },
  /** It only checks the token; comparing `payload_hash` is left to the receiver. */
  vonage: {
    name: "@vonage/jwt",
    accepts: ({ headers, secret }) =>
      verifyVonage((headers.authorization ?? "").slice("Bearer ".length), secret),
    altered: ({ headers }) => ({
      headers: { authorization: `${headers.authorization?.slice(0, -3)}AAA` },
    }),
  },
  qstash: {
    name: "@upstash/qstash",
    accepts: ({ url, headers, text: body, secret }) =>
      new Receiver({ currentSigningKey: secret, nextSigningKey: secret }).verify({
        signature: headers["upstash-signature"] ?? "",
        body,
        url,
      }),
    altered: otherText("evt_1", "evt_2"),
  },
  messagebird: {
    name: "messagebird",
    accepts: ({ url, headers, text, secret }) =>
      messagebird.verify(
        url,
        Buffer.from(text),
        headers["messagebird-signature-jwt"],
        Buffer.from(secret),
      ),
    altered: otherText("evt_1", "evt_2"),
  },
  /** It fetches the key by https from a given location, here from this machine. */
  "aws-sns": {
    name: "sns-validator",
    accepts: ({ text, secret }) => validateSns(JSON.parse(text), secret),
    altered: otherText("evt_1", "evt_2"),
  },
  /** Fireblocks' documentation does the same: the body is put back between header and signature. */
  fireblocks: {
    name: "jose",
    accepts: async ({ headers, text, secret }) => {
      const [head, , tail] = (headers["fireblocks-webhook-signature"] ?? "").split(".");
      const token = `${head}.${Buffer.from(text).toString("base64url")}.${tail}`;
      await compactVerify(token, await importSPKI(secret, "RS512"));
    },
    altered: otherText("evt_1", "evt_2"),
  },
  "apple-app-store": {
    name: "@apple/app-store-server-library",
    accepts: ({ text, settings }) => acceptsNotification(sampleChain, settings.bundleId, text),
    altered: ({ text }) => ({ text: text.replace(/.{4}"}$/, 'AAAA"}') }),
  },
  "google-pubsub": {
    name: "google-auth-library",
    accepts: ({ url, headers, secret }) =>
      new OAuth2Client().verifySignedJwtWithCertsAsync(
        (headers.authorization ?? "").slice("Bearer ".length),
        { [sampleKeyId]: secret },
        url,
        ["https://accounts.google.com"],
      ),
    altered: otherUrl,
  },
};

export function braintreeOf(privateKey: string, { publicKey }: Settings) {
  const environment = braintree.Environment.Sandbox;
  return new braintree.BraintreeGateway({ environment, merchantId: "m", publicKey, privateKey });
}

/** The issuer is the API key, which adds nothing to the secret. */
class LivekitReceiver {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async check(text: string, token: string): Promise<void> {
    const [, claims = ""] = token.split(".");
    const { iss } = JSON.parse(Buffer.from(claims, "base64url").toString());
    await new WebhookReceiver(iss, this.#secret).receive(text, token);
  }
}

async function validateSns(message: object, publicKey: string): Promise<void> {
  const server = createServer(testCertificate, (_request, response) => response.end(publicKey));
  await new Promise<void>((done) => server.listen(0, "127.0.0.3", done));
  globalAgent.options.ca = [testCertificate.cert];
  const SigningCertURL = `https://127.0.0.3:${(server.address() as AddressInfo).port}/a.pem`;
  try {
    await new Promise<void>((done, reject) => {
      new SnsValidator(/^127\.0\.0\.3:\d+$/).validate(
        { ...message, SigningCertURL },
        (error: Error | null) => (error === null ? done() : reject(error)),
      );
    });
  } finally {
    server.close();
  }
}
