import { challenge } from "./shapes/handshakes.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "x-adobesign-clientid";

/**
 * Adobe doesn't sign. It sends the client id of the webhook's app, and expects it in each response.
 */
export const adobeSign: Provider = {
  id: "adobe-sign",
  name: "Adobe Acrobat Sign",
  scheme: { kind: "token", source: { from: "header", name: header } },
  eventId: [inBody("webhookNotificationId")],
  identity: {
    why: "Each notification has an id of its own, which Adobe names for telling duplicates.",
    source: "https://opensource.adobe.com/acrobat-sign/developer_guide/webhookapis.html",
  },
  eventType: [inBody("event")],
  secretHelp:
    "The client ID of the application that creates the webhook, as Adobe sends it in " +
    "X-AdobeSign-ClientId. It is no secret, so keep the catch URL private too.",
  isSecretKnown: true,
  whereToPaste:
    "Account → Webhooks → New webhook: paste the catch URL as URL. Over the " +
    "API: POST /webhooks with the catch URL as webhookUrlInfo.url.",
  docsUrl: "https://opensource.adobe.com/acrobat-sign/developer_guide/webhookapis.html",
  proof: { describedBy: "provider" },
  /** Sent when a webhook is created or activated. */
  handshakes: [
    {
      name: "verification of intent",
      methods: ["GET"],
      when: [inHeader(header)],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inHeader(header),
        challengePattern: /^[A-Za-z0-9_*.-]{1,256}$/,
        headers: { [header]: [challenge] },
      },
    },
  ],
  response: { secretHeader: header },
  respondWithinSeconds: 5,
  marks: {
    body: [{ path: "webhookNotificationId", is: /./, why: "its body has a webhookNotificationId" }],
  },
};
