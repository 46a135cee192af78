import { pairMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** While two secrets are active, each signature has its own time: `t=…,v1=… t=…,v1=…`. */
export const persona: Provider = {
  id: "persona",
  name: "Persona",
  scheme: {
    ...pairMac("persona-signature"),
    signature: {
      sources: [{ from: "header", name: "persona-signature" }],
      format: {
        type: "pairs",
        itemSeparator: ",",
        keySeparator: "=",
        key: "v1",
        groupSeparator: " ",
      },
    },
  },
  eventId: [inBody("data.id")],
  identity: {
    why: "data.id is that of the event, not of the inquiry it is about.",
    source: "https://docs.withpersona.com/webhooks-best-practices",
  },
  eventType: [inBody("data.attributes.name")],
  secretHelp: "The webhook's secret (wbhsec_…), whole. It is used as text.",
  whereToPaste:
    "Dashboard → Webhooks → Create webhook: paste the catch URL and copy the webhook's secret.",
  docsUrl: "https://docs.withpersona.com/webhooks-best-practices",
  proof: { describedBy: "provider" },
  marks: {
    body: [
      {
        path: "data.attributes.payload.data.id",
        is: /^(?:inq|ver|rep|case|act|doc|txn)_/,
        why: "the id in its payload is one of Persona's",
        isSure: true,
      },
    ],
  },
};
