import { createHash } from "node:crypto";
import { computeHmac, decodeMac, hasMac, toKeys } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { RequestView } from "#lib/core/verify/scheme/request-view.ts";
import { challenge } from "./shapes/handshakes.ts";
import { byContent, inQuery } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const subject = "the form field bt_signature";

const maxSignatures = 10;

/**
 * The handshake returns the MAC of such a text to anyone, so it must never pass for a payload. XML
 * can't look like this.
 */
const challengeLike = /^[0-9a-f]{1,256}\n?$/;

/** The HMAC's key is the SHA-1 of the private key. */
function toKeyBytes(privateKey: string): Buffer {
  return createHash("sha1").update(privateKey, "utf8").digest();
}

/**
 * `bt_signature` lists `public key|signature` for each of the merchant's keys; the one of the
 * hook's public key counts. The payload is base64 with a trailing line break that may get lost on
 * the way.
 */
const scheme: CodeScheme = {
  kind: "code",
  proof: "HMAC-SHA1, hex, of the form field bt_payload in the form field bt_signature",
  takesSecret: true,
  proofHeaders: [],
  settings: [
    {
      name: "publicKey",
      label: "Public key",
      help: "The public key that belongs to the private key: Settings → API → Keys.",
      example: "c4vx3p2tgkyvqbrn",
      pattern: /^[A-Za-z0-9_-]{8,64}$/,
    },
  ],
  findSecretProblem: () => null,
  toKeyBytes,
  prepare: ({ secrets, settings }) => {
    const keys = toKeys(secrets, toKeyBytes);
    if (keys === null) return null;
    return (request) => {
      const view = new RequestView(request);
      const list = view.read({ from: "form", name: "bt_signature" }, null);
      const payload = view.read({ from: "form", name: "bt_payload" }, null);
      if (list.found === "many" || payload.found === "many")
        return fail("header_repeated", subject);
      if (list.found === "none") return fail("signature_missing", subject);
      if (payload.found === "none") return fail("value_missing", "the form field bt_payload");
      if (!/^[A-Za-z0-9+/=\n]+$/.test(payload.value))
        return fail("signature_malformed", "the form field bt_payload");
      if (challengeLike.test(payload.value))
        return fail("signature_malformed", "the form field bt_payload");
      const pairs = list.value.split("&", maxSignatures + 1);
      if (pairs.length > maxSignatures) return fail("too_many_signatures", subject);
      const prefix = `${settings.publicKey}|`;
      const signatures = pairs
        .filter((pair) => pair.startsWith(prefix))
        .flatMap((pair) => decodeMac(pair.slice(prefix.length), "sha1", "hex") ?? []);
      if (signatures.length === 0) return fail("signature_malformed", subject);
      const texts = [payload.value, `${payload.value}\n`];
      return hasMac("sha1", keys, texts, signatures)
        ? { signed: payload.value.replace(/\n$/, "") }
        : fail("signature_mismatch", subject);
    };
  },
  sign: ({ secret, settings, body, url }) => {
    const payload = `${Buffer.from(body).toString("base64")}\n`;
    const [key] = toKeys([secret], toKeyBytes) ?? [];
    if (key === undefined) throw new Error("the private key is empty");
    const signature = `${settings.publicKey}|${computeHmac("sha1", key, payload).toString("hex")}`;
    const form = new URLSearchParams({ bt_signature: signature, bt_payload: payload });
    return {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(form.toString()),
      url,
    };
  },
};

export const braintree: Provider = {
  id: "braintree",
  name: "Braintree",
  scheme,
  eventId: [byContent],
  identity: {
    why: "The signed payload holds kind, time, and object. It is sent again as it was.",
    source: "https://developer.paypal.com/braintree/docs/guides/webhooks/parse",
  },
  // Anyone could add fields to the form, which nothing signs.
  replay: { isOn: true, why: "the payload, which identifies the event, is signed" },
  // The event type is inside the payload's XML.
  eventType: [],
  secretHelp: "The private key of an API key. Its public key is asked for beside it.",
  whereToPaste:
    "Control Panel → Settings → API → Webhooks → Create New Webhook: paste " +
    "the catch URL; Settings → API → Keys shows both keys.",
  docsUrl: "https://developer.paypal.com/braintree/docs/guides/webhooks/parse",
  proof: { package: "braintree", describedBy: "provider" },
  /** Requested when the webhook is saved. */
  handshakes: [
    {
      name: "challenge",
      methods: ["GET"],
      when: [inQuery("bt_challenge")],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inQuery("bt_challenge"),
        // Its events are base64, so a challenge that may be base64 could be an event.
        challengePattern: /^[a-f0-9]{20,32}$/,
        body: {
          type: "text",
          text: [{ setting: "publicKey" }, "|", { hmac: "sha1", encoding: "hex", of: [challenge] }],
        },
      },
    },
  ],
};
