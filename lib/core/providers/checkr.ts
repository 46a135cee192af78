import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const checkr: Provider = {
  id: "checkr",
  name: "Checkr",
  scheme: bodyMac("x-checkr-signature"),
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is that of the event, not of the report it is about.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "The account's API key, as it makes the signatures.",
  whereToPaste:
    "Dashboard → Account settings → Developer settings → Webhooks: paste the catch URL.",
  docsUrl: "https://docs.checkr.com/#section/Webhooks",
  proof: { describedBy: "others" },
};
