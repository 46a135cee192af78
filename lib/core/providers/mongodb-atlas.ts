import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://www.mongodb.com/docs/atlas/tutorial/webhook-integration/";

/** Compared with https://www.mongodb.com/docs/atlas/tutorial/webhook-integration/ on 2026-11-28. */
export const mongodbAtlas: Provider = {
  id: "mongodb-atlas",
  name: "MongoDB Atlas (alerts)",
  scheme: bodyMac("x-mms-signature", { hash: "sha1", encoding: "base64" }),
  eventId: [{ ...allOf(inHeader("x-mms-event"), byContent), withinSeconds: 240 }],
  identity: {
    why:
      "The body's id is that of the alert, which sends several events: so the event header " +
      "and the content count. Reminders may repeat both every five minutes.",
    source: docsUrl,
  },
  eventType: [inHeader("x-mms-event"), inBody("eventTypeName")],
  secretHelp: "The Webhook Secret that you entered in the integration.",
  isSecretChosen: true,
  whereToPaste:
    "Project Settings → Integrations → Webhook: paste the catch URL as Webhook URL and " +
    "fill in Webhook Secret, then add the webhook to an alert's notifications.",
  docsUrl,
  proof: { describedBy: "provider" },
};
