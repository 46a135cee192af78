import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const jobber: Provider = {
  id: "jobber",
  name: "Jobber",
  scheme: bodyMac("x-jobber-hmac-sha256", { encoding: "base64" }),
  eventId: [byContent],
  identity: { why: "The body holds topic, item, and the time of the event.", source: null },
  eventType: [inBody("data.webHookEvent.topic")],
  secretHelp: "The app's client secret.",
  whereToPaste:
    "Developer Center → your app → Webhooks: paste the catch URL; the client secret is on the app's page.",
  docsUrl: "https://developer.getjobber.com/docs/using_jobbers_api/setting_up_webhooks/",
  proof: { describedBy: "others" },
};
