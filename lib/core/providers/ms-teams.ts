import { bodyMac } from "./shapes/mac.ts";
import { allOf, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const msTeams: Provider = {
  id: "ms-teams",
  name: "Microsoft Teams (outgoing webhook)",
  scheme: {
    ...bodyMac("authorization", { prefix: "HMAC ", encoding: "base64" }),
    secret: { decode: "base64" },
  },
  eventId: [allOf(inBody("conversation.id"), inBody("id")), inBody("id")],
  identity: {
    why: "A message's id is its time in milliseconds, unique within its conversation.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "The security token that Teams shows once: base64, which is decoded.",
  whereToPaste:
    "Team → Manage team → Apps → Create an outgoing webhook: paste the catch URL and copy the security token.",
  docsUrl:
    "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-outgoing-webhook",
  proof: { describedBy: "others" },
  respondWithinSeconds: 5,
};
