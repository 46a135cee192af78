import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const supabase: Provider = {
  id: "supabase",
  name: "Supabase (database webhooks)",
  scheme: { kind: "bearer" },
  eventId: [],
  identity: {
    why:
      "A change of a row has no id, and two changes to the same values look " +
      "alike. Supabase doesn't try again. Every delivery is an event.",
    source: "https://supabase.com/docs/guides/database/webhooks",
  },
  eventType: [inBody("type")],
  secretHelp: "The token alone, without the word Bearer.",
  isSecretChosen: true,
  foreignSecret: {
    is: /^(?:v1,)?whsec_/,
    words: "is that of a Supabase Auth hook, which signs its deliveries instead of sending a token",
    advice: "Choose the provider Supabase Auth hooks, and paste the complete secret there.",
  },
  whereToPaste:
    "Integrations → Database Webhooks → Create: paste the catch URL and add the " +
    "HTTP header Authorization with Bearer and a long random value.",
  docsUrl: "https://supabase.com/docs/guides/database/webhooks",
  proof: { describedBy: "others" },
  marks: {
    userAgent: /^pg_net\//,
    body: [
      { path: "type", is: /^(?:INSERT|UPDATE|DELETE)$/, why: "its type is a change of a row" },
      { path: "table", is: /./, why: "its body names a table" },
    ],
  },
};
