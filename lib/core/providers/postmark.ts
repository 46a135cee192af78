import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const postmark: Provider = {
  id: "postmark",
  name: "Postmark",
  scheme: { kind: "basic" },
  eventId: [byContent],
  identity: {
    why: "A message has many events, and none of them an id. Type, message, and time in the body tell them apart.",
    source: "https://postmarkapp.com/developer/webhooks/webhooks-overview",
  },
  eventType: [inBody("RecordType")],
  secretHelp: "User name and password with a colon between them: user:password.",
  isSecretChosen: true,
  whereToPaste:
    "Server → Message stream → Webhooks → Add webhook: paste the catch URL " +
    "and fill in Basic auth credentials. Postmark does not sign.",
  docsUrl: "https://postmarkapp.com/developer/webhooks/webhooks-overview",
  proof: { describedBy: "others" },
  marks: {
    userAgent: /^Postmark/,
    body: [
      { path: "RecordType", is: /^[A-Z]/, why: "its body has a RecordType as Postmark's have" },
    ],
  },
};
