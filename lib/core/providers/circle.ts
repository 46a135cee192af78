import { plain } from "./shapes/handshakes.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { signedBy } from "./shapes/public-key.ts";

/**
 * Circle only returns keys by id to API key owners, so the key is pasted. Version 1 notifications
 * use Amazon SNS.
 */
export const circle: Provider = {
  id: "circle",
  name: "Circle",
  scheme: signedBy("ecdsa-p256-sha256", "base64", "x-circle-signature", { template: "{body}" }),
  eventId: [inBody("notificationId")],
  identity: {
    why: "Each notification has an id of its own, which is signed with the body.",
    source: "https://developers.circle.com/api-reference/webhooks",
  },
  eventType: [inBody("notificationType")],
  secretHelp:
    "Circle's public key (base64), not an API key. Ask GET " +
    "/v2/notifications/publicKey/{id} for it, with the X-Circle-Key-Id of a " +
    "delivery as id. If Circle starts using another key, add it as a second secret.",
  whereToPaste:
    "Developer Console → Webhooks → Add a webhook: paste the catch URL as endpoint. Let " +
    "the hook keep the test notification until you have the key to its X-Circle-Key-Id.",
  docsUrl: "https://developers.circle.com/api-reference/verify-webhook-signatures",
  proof: { examples: 1, describedBy: "provider" },
  /** Sent when a subscription is saved. */
  handshakes: [plain("HEAD")],
};
