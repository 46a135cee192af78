import { bodyMac } from "./shapes/mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://docs.getdbt.com/docs/deploy/webhooks";

/** Compared with https://docs.getdbt.com/docs/deploy/webhooks on 2026-11-28. */
export const dbtCloud: Provider = {
  id: "dbt-cloud",
  name: "dbt Cloud",
  scheme: bodyMac("authorization"),
  eventId: [inBody("eventId")],
  identity: { why: "Each event of a run has its own eventId.", source: docsUrl },
  eventType: [inBody("eventType")],
  secretHelp: "The webhook's Secret token, which dbt shows once.",
  whereToPaste:
    "Account settings → Webhooks → Create webhook: paste the catch URL " +
    "as Endpoint and copy the secret token that is shown.",
  docsUrl,
  proof: { describedBy: "provider" },
  marks: {
    body: [{ path: "eventId", is: /^wev_/, why: "its eventId starts with wev_", isSure: true }],
  },
};
