/** Senders that sign with a private key. What is pasted is their public key, and nobody has to keep it secret. */
import { discordHandshakes } from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import type { PublicKeyScheme } from "../scheme.ts";
import { byContent, eventsAt, inBody, inHeader } from "./shapes.ts";
import { standardScheme, standardWebhooks } from "./standard-webhooks.ts";

const { secretStartsWith: _whsec, ...standard } = standardWebhooks;

export const publicKeys: readonly Provider[] = [
  /** `v1` signatures in the same header are ignored: a hook is pinned to one of the two. */
  {
    ...standard,
    id: "standard-webhooks-ed25519",
    name: "Standard Webhooks (public key)",
    scheme: standardEd25519(),
    secretHelp: "The public key, whole, with its whpk_. What follows the prefix is base64 and is decoded.",
    whereToPaste:
      "In the sender's webhook settings, add an endpoint with the catch URL and copy its public key.",
    secretStartsWith: "whpk_",
  },
  /** Discord also sends signatures that are wrong on purpose, and wants 401 for them. */
  {
    id: "discord",
    name: "Discord",
    scheme: signedBy("ed25519", "hex", "x-signature-ed25519", {
      template: "{timestamp}{body}",
      time: "x-signature-timestamp",
    }),
    eventId: [inBody("id"), byContent],
    eventType: [inBody("event.type"), inBody("type")],
    secretHelp: "The application's Public Key: 64 hexadecimal characters. Not the bot token.",
    whereToPaste:
      "discord.com/developers → your application → General Information: save the Public Key in the hook first; then Webhooks takes the catch URL as Endpoint URL, with Events switched on (for interactions: Interactions Endpoint URL).",
    docsUrl: "https://docs.discord.com/developers/events/webhook-events",
    handshakes: discordHandshakes,
    answer: { status: 204 },
  },
  /** The body ends with CRLF, and that is signed too. */
  {
    id: "sendgrid",
    name: "Twilio SendGrid (Event Webhook)",
    scheme: signedBy("ecdsa-p256-sha256", "base64", "x-twilio-email-event-webhook-signature", {
      template: "{timestamp}{body}",
      time: "x-twilio-email-event-webhook-timestamp",
    }),
    // Events come in batches; ECDSA signs anew each time, so a second try has another signature.
    eventId: [byContent],
    eventType: [inBody("0.event")],
    batch: eventsAt("", { eventId: [["sg_event_id"]], eventType: [["event"]] }),
    secretHelp: "The Verification Key of the webhook: base64, starting with MFkw.",
    whereToPaste:
      "Settings → Mail Settings → Event Webhooks: paste the catch URL, switch Signed Event Webhook on and copy the Verification Key.",
    docsUrl:
      "https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features",
    secretStartsWith: "MFkw",
  },
  {
    id: "kick",
    name: "Kick",
    scheme: withId(
      signedBy("rsa-sha256", "base64", "kick-event-signature", {
        template: "{id}.{timestamp}.{body}",
        time: "kick-event-message-timestamp",
        unit: "rfc3339",
      }),
      "kick-event-message-id",
    ),
    eventId: [inHeader("kick-event-message-id")],
    eventType: [inHeader("kick-event-type")],
    secretHelp:
      "Kick's public key as PEM, the same for everyone: GET https://api.kick.com/public/v1/public-key.",
    whereToPaste: "Kick → Settings → Developer → your app: switch webhooks on and paste the catch URL.",
    docsUrl: "https://docs.kick.com/events/webhook-security",
    confirmed: false,
  },
  {
    id: "wise",
    name: "Wise",
    scheme: signedBy("rsa-sha256", "base64", "x-signature-sha256", { template: "{body}" }),
    eventId: [inHeader("x-delivery-id")],
    eventType: [inBody("event_type")],
    secretHelp:
      "Wise's public key as PEM, of the page about event handling: one for production, one for sandbox.",
    whereToPaste: "Wise → Settings → Webhooks → Create new webhook: paste the catch URL.",
    docsUrl: "https://docs.wise.com/guides/developer/webhooks/event-handling",
    confirmed: false,
  },
];

type Signed = {
  readonly template: string;
  /** The header with the time, where one is signed. */
  readonly time?: string;
  readonly unit?: "s" | "rfc3339";
};

function signedBy(
  algorithm: PublicKeyScheme["algorithm"],
  encoding: "hex" | "base64",
  header: string,
  { template, time, unit = "s" }: Signed,
): PublicKeyScheme {
  const scheme: PublicKeyScheme = {
    kind: "publicKey",
    algorithm,
    encoding,
    signature: { sources: [{ from: "header", name: header }], format: { type: "bare" } },
    signed: { template },
    secret: { decode: encoding },
  };
  if (time === undefined) return scheme;
  const source = { from: "header", name: time } as const;
  return { ...scheme, timestamp: { source, unit, pastSeconds: 300, futureSeconds: 300 } };
}

function withId(scheme: PublicKeyScheme, name: string): PublicKeyScheme {
  return { ...scheme, signed: { ...scheme.signed, values: { id: { from: "header", name } } } };
}

function standardEd25519(): PublicKeyScheme {
  const { mac: _mac, hash: _hash, ...shared } = standardScheme("webhook", { prefixRequired: false });
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
