/** More of the senders' own packages: what we sign they verify, and with a byte changed neither they nor we do. */
import { createPublicKey } from "node:crypto";
import Mux from "@mux/mux-node";
import { signWebhookPayload, verifyWebhookSignature } from "@notionhq/client";
import { encodeSignatureHeader, isValidSignature } from "@sanity/webhook";
import { EventWebhook } from "@sendgrid/eventwebhook";
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
import { describe, expect, it } from "vitest";
import { findProvider } from "./providers.ts";
import { signRequest } from "./sign.ts";
import { flipBit, requestOf } from "./test-request.ts";
import { sampleSecret } from "./test-sample.ts";
import { prepareVerifier } from "./verify.ts";

type Headers = Readonly<Record<string, string>>;
/** Throws or gives false for what it refuses. */
type Check = (text: string, headers: Headers, secret: string) => unknown;

const nowMs = Date.now();
// No field that a package would parse further, and no character that JSON.stringify would change.
const text = JSON.stringify({ id: "evt_1", events: [], type: "a.b", data: {}, event: "a", object: "x" });
const modernTreasury = new ModernTreasury({ apiKey: "k", organizationID: "o" });

const packages: Readonly<Record<string, Check>> = {
  razorpay: (body, headers, secret) => {
    return Razorpay.validateWebhookSignature(body, headers["x-razorpay-signature"] ?? "", secret);
  },
  discord: (body, headers, secret) => {
    const [signature = "", time = ""] = [headers["x-signature-ed25519"], headers["x-signature-timestamp"]];
    return verifyKey(body, signature, time, lastBytes(secret).toString("hex"));
  },
  notion: (body, headers, verificationToken) => {
    return verifyWebhookSignature({ body, signature: headers["x-notion-signature"], verificationToken });
  },
  sanity: (body, headers, secret) => {
    return isValidSignature(body, headers["sanity-webhook-signature"] ?? "", secret);
  },
  sendgrid: (body, headers, secret) => {
    const webhook = new EventWebhook();
    const key = webhook.convertPublicKeyToECDSA(spki(secret).toString("base64"));
    const name = "x-twilio-email-event-webhook-";
    return webhook.verifySignature(
      key,
      body,
      headers[`${name}signature`] ?? "",
      headers[`${name}timestamp`] ?? "",
    );
  },
  pusher: (rawBody, headers, secret) => {
    const all = { ...headers, "x-pusher-key": "k", "content-type": "application/json" };
    const pusher = new Pusher({ appId: "1", key: "k", secret, cluster: "eu" });
    return pusher.webhook({ headers: all, rawBody }).isValid();
  },
  replicate: (body, headers, secret) => {
    const [id = "", timestamp = "", signature = ""] = ["id", "timestamp", "signature"].map(
      (name) => headers[`webhook-${name}`],
    );
    return validateReplicate({ id, timestamp, signature, body, secret });
  },
  resend: (payload, headers, webhookSecret) => {
    const [id = "", timestamp = "", signature = ""] = ["id", "timestamp", "signature"].map(
      (name) => headers[`svix-${name}`],
    );
    return new Resend("re_x").webhooks.verify({
      payload,
      headers: { id, timestamp, signature },
      webhookSecret,
    });
  },
  cloudinary: (body, headers, secret) => {
    cloudinary.config({ api_secret: secret, cloud_name: "c", api_key: "k" });
    const signature = headers["x-cld-signature"] ?? "";
    return cloudinary.utils.verifyNotificationSignature(body, Number(headers["x-cld-timestamp"]), signature);
  },
  workos: (body, headers, secret) => {
    const sigHeader = headers["workos-signature"] ?? "";
    return new WorkOS("sk_x").webhooks.verifyHeader({ payload: JSON.parse(body), sigHeader, secret });
  },
  mux: (body, headers, secret) =>
    new Mux({ tokenId: "i", tokenSecret: "s" }).webhooks.verifySignature(body, headers, secret),
  "modern-treasury": (body, headers, key) =>
    modernTreasury.webhooks.validateSignature(body, headers, { key }),
  orb: (body, headers, secret) => new Orb({ apiKey: "k" }).webhooks.verifySignature(body, headers, secret),
  "dodo-payments": (body, headers, key) =>
    new DodoPayments({ bearerToken: "b" }).webhooks.unwrap(body, { headers, key }),
  gocardless: (body, headers, secret) => parseGocardless(body, secret, headers["webhook-signature"] ?? ""),
};

function schemeOf(id: string) {
  const provider = findProvider(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  return provider.scheme;
}

function outcome(id: string, secret: string, headers: Headers, body: Uint8Array) {
  const verify = prepareVerifier({ scheme: schemeOf(id), secrets: [secret] });
  return verify(requestOf(headers, body), nowMs).outcome;
}

/** What the package says, be it a promise, a boolean or an exception. */
async function accepts(check: () => unknown): Promise<boolean> {
  try {
    return (await check()) !== false;
  } catch {
    return false;
  }
}

describe.each(Object.entries(packages))("%s", (id, check) => {
  const { signing, pasted } = sampleSecret(schemeOf(id), id);
  const body = Buffer.from(text);
  const headers = signRequest(schemeOf(id), signing, { body, timestampMs: nowMs, id: "msg_1" });

  it("what we sign the package and we verify, and with a byte changed neither does", async () => {
    const altered = text.replace("evt_1", "evt_2");
    expect(await accepts(() => check(text, headers, pasted))).toBe(true);
    expect(await accepts(() => check(altered, headers, pasted))).toBe(false);
    expect(outcome(id, pasted, headers, body)).toBe("verified");
    expect(outcome(id, pasted, headers, flipBit(body, 77))).toBe("failed");
  });
});

it("what the packages of Notion, Sanity and Modern Treasury sign is verified", async () => {
  const body = Buffer.from(text);
  const key = "a secret";
  const signed = {
    notion: { "x-notion-signature": await signWebhookPayload({ body: text, verificationToken: key }) },
    sanity: { "sanity-webhook-signature": await encodeSignatureHeader(text, nowMs, key) },
    "modern-treasury": { "x-signature": modernTreasury.webhooks.getSignature(text, { key }) },
  };
  for (const [id, headers] of Object.entries(signed)) {
    expect([id, outcome(id, key, headers, body)]).toEqual([id, "verified"]);
    expect([id, outcome(id, key, headers, flipBit(body, 77))]).toEqual([id, "failed"]);
  }
});

function spki(pem: string): Buffer {
  return createPublicKey(pem).export({ type: "spki", format: "der" });
}

function lastBytes(pem: string): Buffer {
  return spki(pem).subarray(-32);
}
