import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const supabase: Provider = {
  id: "supabase",
  name: "Supabase (database webhooks)",
  scheme: { kind: "bearer" },
  eventId: [],
  identity: {
    why: "A change of a row has no id, and two changes to the same values look alike. Supabase doesn't try again. Every delivery is an event.",
  },
  eventType: [inBody("type")],
  secretHelp: "The token alone, without the word Bearer.",
  isSecretChosen: true,
  whereToPaste:
    "Integrations → Database Webhooks → Create: paste the catch URL and add the HTTP header Authorization with Bearer and a long random value.",
  docsUrl: "https://supabase.com/docs/guides/database/webhooks",
  proof: { describedBy: "others" },
};
