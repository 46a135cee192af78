import { plain } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const mandrill: Provider = {
  id: "mandrill",
  name: "Mandrill (Mailchimp Transactional)",
  scheme: {
    ...bodyMac("x-mandrill-signature", { hash: "sha1", encoding: "base64" }),
    signed: { template: "{url}{form}" },
  },
  eventId: [byContent],
  identity: {
    why: "_id is that of the message, which has many events. Event, message, second, and details tell items apart.",
    source: "https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/",
  },
  eventType: [],
  batch: {
    list: { from: "form", name: "mandrill_events" },
    keepsEnvelope: false,
    // This id is the message's, which has many events.
    eventId: [],
    otherwise: "content",
    eventType: [["event"], ["type"]],
  },
  secretHelp: "The webhook's authentication key, used as text.",
  whereToPaste:
    "Settings → Webhooks → Add: paste the catch URL exactly as shown here; the list shows the key of each webhook.",
  docsUrl: "https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/",
  proof: { describedBy: "others" },
  handshakes: [plain("HEAD")],
};
