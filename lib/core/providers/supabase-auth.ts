import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";
import { standardScheme } from "./shapes/standard-webhooks.ts";

const source = "https://github.com/supabase/auth/blob/master/internal/hooks/hookshttp/hookshttp.go";

/** Only one family of headers, and another prefix of the secret. */
const { headerAlias: _svix, ...scheme } = standardScheme("webhook", { prefixRequired: true });

/**
 * Standard Webhooks, but webhook-id is new with each try, and several signatures are separated by a
 * comma and a space, so that only the last one can be read.
 */
export const supabaseAuth: Provider = {
  id: "supabase-auth",
  name: "Supabase Auth hooks",
  scheme: {
    ...scheme,
    secret: { decode: "base64", stripPrefix: "v1,whsec_", prefixRequired: true },
  },
  eventId: [inBody("metadata.uuid"), { ...byContent, withinSeconds: 60 }],
  identity: {
    why:
      "metadata.uuid is that of the call, whose tries send the same body within seconds. " +
      "webhook-id is another one for each try. Older versions send no metadata.",
    source,
  },
  eventType: [inBody("metadata.name"), inBody("email_data.email_action_type")],
  secretHelp:
    "The hook's complete secret, from v1,whsec_ on. If it has several, separated by |, the last one.",
  whereToPaste:
    "Authentication → Hooks → Add hook: choose HTTPS, paste the catch URL, and copy " +
    "the generated secret. Supabase waits up to 5 s for the response and acts on it, so " +
    "an action of the hook must reply to hooks that expect claims.",
  docsUrl: "https://supabase.com/docs/guides/auth/auth-hooks",
  proof: { package: "standardwebhooks", describedBy: "provider" },
  secretStartsWith: "v1,whsec_",
  response: { status: 204 },
  respondWithinSeconds: 5,
};
