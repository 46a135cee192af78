import { plain } from "./shapes/handshakes.ts";
import { byContent } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Mailchimp neither signs nor sends its own headers: the token is part of the URL. */
export const mailchimp: Provider = {
  id: "mailchimp",
  name: "Mailchimp Marketing",
  scheme: { kind: "token", source: { from: "query", name: "token" } },
  eventId: [byContent],
  identity: {
    why: "There is no id. The form holds type, member, and the second in which it fired.",
    source: "https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/",
  },
  eventType: [],
  secretHelp: "The value that you put behind ?token= in the URL that you give Mailchimp.",
  isSecretChosen: true,
  whereToPaste:
    "Audience → Settings → Webhooks → Create New Webhook: paste the " +
    "catch URL followed by ?token= and a long random value.",
  docsUrl: "https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/",
  proof: { describedBy: "others" },
  handshakes: [plain("GET"), plain("HEAD")],
  marks: {
    body: [
      {
        path: "fired_at",
        is: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
        why: "its form has a fired_at as Mailchimp's have",
      },
      {
        path: "type",
        is: /^(?:subscribe|unsubscribe|profile|upemail|cleaned|campaign)$/,
        why: "its type is one of Mailchimp's",
      },
    ],
  },
};
