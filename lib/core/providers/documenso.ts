import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Documenso doesn't sign, but sends the secret itself. Compared with
 * https://docs.documenso.com/docs/developers/webhooks/verification and `executeWebhookCall` of
 * https://github.com/documenso/documenso on 2026-11-28.
 */
export const documenso: Provider = {
  id: "documenso",
  name: "Documenso",
  scheme: { kind: "token", source: { from: "header", name: "x-documenso-secret" } },
  eventId: [inHeader("x-documenso-delivery-id"), inBody("deliveryId")],
  identity: {
    why:
      "Documenso makes the delivery id once and sends it with each try. Older versions have " +
      "none, and another createdAt with each try: then every delivery is an event.",
    source:
      "https://github.com/documenso/documenso/blob/main/packages/lib/jobs/definitions/internal/execute-webhook.handler.ts",
  },
  eventType: [inBody("event")],
  secretHelp: "The webhook's Secret, as you entered it.",
  isSecretChosen: true,
  whereToPaste:
    "Settings → Webhooks → Create webhook: paste the catch URL, choose events, and fill in Secret.",
  docsUrl: "https://docs.documenso.com/docs/developers/webhooks/verification",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 10,
};
