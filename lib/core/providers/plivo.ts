import { bodyMac } from "./shapes/mac.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Only URL and nonce are signed, so it proves the origin, not the content. */
export const plivo: Provider = {
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
  identity: {
    why:
      "Each request has its own nonce, which is signed. A call asks many times with the same " +
      "fields, so no field can stand for the event; a further try may run again.",
    source: "https://www.plivo.com/docs/voice/concepts/signature-validation",
  },
  eventType: [],
  secretHelp: "The account's Auth Token. Not the Auth ID.",
  whereToPaste:
    "Console → the application or number: paste the catch URL exactly " +
    "as shown here; the overview shows the Auth Token.",
  docsUrl: "https://www.plivo.com/docs/voice/concepts/signature-validation",
  proof: { package: "plivo", describedBy: "provider" },
};
