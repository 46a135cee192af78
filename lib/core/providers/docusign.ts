import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** One signature per active key, up to ten. */
export const docusign: Provider = {
  id: "docusign",
  name: "DocuSign Connect",
  scheme: {
    ...bodyMac("x-docusign-signature-1", { encoding: "base64" }),
    signature: {
      sources: Array.from({ length: 10 }, (_none, index) => ({
        from: "header" as const,
        name: `x-docusign-signature-${index + 1}`,
      })),
      format: { type: "bare" },
    },
  },
  eventId: [
    allOf(
      inBody("data.envelopeId"),
      inBody("event"),
      inBody("data.recipientId"),
      inBody("generatedDateTime"),
    ),
    allOf(inBody("data.envelopeId"), inBody("event"), inBody("generatedDateTime")),
    byContent,
  ],
  identity: {
    why:
      "There is no delivery id, and retryCount changes with each try, " +
      "so envelope, recipient, event, and time count.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "One of the account's Connect HMAC keys, used as text.",
  whereToPaste:
    "Settings → Connect → Add Configuration: paste the catch URL and include the " +
    "HMAC signature; Connect Keys makes the key, which is shown once.",
  docsUrl: "https://developers.docusign.com/platform/webhooks/connect/validate/",
  proof: { describedBy: "provider" },
};
