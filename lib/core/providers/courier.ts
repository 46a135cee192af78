import { pairMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const courier: Provider = {
  id: "courier",
  name: "Courier",
  scheme: pairMac("courier-signature", { key: "signature", unit: "ms" }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "A message has one id through sent, delivered, opened, and clicked, and each " +
      "adds a time to the body. Equal bodies are one event for a day.",
    source: "https://www.courier.com/docs/platform/workspaces/outbound-webhooks",
  },
  eventType: [inBody("type")],
  secretHelp: "The secret of the outbound webhook, used as text.",
  whereToPaste:
    "Settings → Outbound Webhooks → New webhook: paste the catch URL; click the webhook to see its secret.",
  docsUrl: "https://www.courier.com/docs/platform/workspaces/outbound-webhooks",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      {
        path: "type",
        is: /^(?:message:updated|notification:(?:submitted|submission_canceled|published)|audiences:)/,
        why: "its type is one of Courier's",
      },
    ],
  },
};
