import { eventsAt } from "./shapes/events-at.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl =
  "https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/ens-notification-signing.html";

/**
 * The body is a list, even of one event. Compared with
 * https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/ens-notification-signing.html
 * on 2026-11-28.
 */
export const salesforceMarketingCloud: Provider = {
  id: "salesforce-marketing-cloud",
  name: "Salesforce Marketing Cloud (ENS)",
  scheme: bodyMac("x-sfmc-ens-signature", { encoding: "base64" }),
  eventId: [byContent],
  identity: {
    why:
      "compositeId is that of the message, which has several events, such as two " +
      "clicks. An event's content has its type, time, and details.",
    source:
      "https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/engagement_email_events.html",
  },
  eventType: [inBody("0.eventCategoryType")],
  batch: eventsAt("", { eventType: [["eventCategoryType"]] }),
  secretHelp: "The signatureKey that the API returns once, when the callback is created.",
  whereToPaste:
    "Create the hook without a secret first. POST /platform/v1/ens-callbacks with the " +
    "catch URL: Salesforce sends an unsigned verificationKey, which the hook's deliveries " +
    "show. Pass it to POST /platform/v1/ens-verify, then add the signatureKey to the hook.",
  docsUrl,
  proof: { describedBy: "provider" },
};
