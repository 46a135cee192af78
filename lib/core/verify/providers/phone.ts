/** Telephony. The URL of the hook is part of what is signed: sender and hook have to have the same one. */
import type { Provider } from "../provider.ts";
import { bodyMac, inBody, inHeader } from "./shapes.ts";

export const phone: readonly Provider[] = [
  /** Only URL and nonce are signed, so it proves the origin and not the content. */
  {
    id: "plivo",
    name: "Plivo (V2 signatures)",
    scheme: {
      ...bodyMac("x-plivo-signature-v2", { encoding: "base64" }),
      signed: {
        template: "{url}{nonce}",
        values: { nonce: { from: "header", name: "x-plivo-signature-v2-nonce" } },
        bodyNotSigned: true,
      },
    },
    eventId: [inHeader("x-plivo-signature-v2-nonce")],
    eventType: [],
    secretHelp: "The account's Auth Token. Not the Auth ID.",
    whereToPaste:
      "Console → the application or number: paste the catch URL exactly as shown here; the overview shows the Auth Token.",
    docsUrl: "https://www.plivo.com/docs/voice/concepts/signature-validation",
  },
  {
    id: "telnyx",
    name: "Telnyx",
    scheme: {
      kind: "publicKey",
      algorithm: "ed25519",
      encoding: "base64",
      signature: {
        sources: [{ from: "header", name: "telnyx-signature-ed25519" }],
        format: { type: "bare" },
      },
      signed: { template: "{timestamp}|{body}" },
      secret: { decode: "base64" },
      timestamp: {
        source: { from: "header", name: "telnyx-timestamp" },
        unit: "s",
        pastSeconds: 300,
        futureSeconds: 300,
      },
    },
    eventId: [inBody("data.id")],
    eventType: [inBody("data.event_type")],
    secretHelp: "The account's public key: base64 of 32 bytes. It is public and no API key.",
    whereToPaste:
      "Mission Control Portal → the connection or messaging profile: paste the catch URL; Keys & Credentials → Public Key shows the key.",
    docsUrl: "https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks",
  },
];
