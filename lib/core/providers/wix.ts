import { jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { eventIn } from "./shapes/events-at.ts";
import { byContent } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The body is a token, whose claim data is the event as JSON text. The event's own data is JSON
 * text again. Compared with https://dev.wix.com/docs/rest/articles/getting-started/webhooks on
 * 2026-11-28.
 */
export const wix: Provider = {
  id: "wix",
  name: "Wix",
  scheme: jwtScheme("JSON Web Token, RS256 with the app's public key, which is the body", true, {
    header: "",
    isBody: true,
    algorithms: ["RS256"],
    times: { required: ["exp"], leewaySeconds: 60 },
    sampleClaims: ({ body }) => ({ data: Buffer.from(body).toString("utf8") }),
  }),
  eventId: [byContent],
  identity: {
    why:
      "The id of the event is inside JSON text in its data, so the content of " +
      "the claim data counts, which leaves out the token's own time.",
    source: "https://dev.wix.com/docs/build-apps/developer-tools/apis-and-webhooks/webhooks",
  },
  eventType: [],
  batch: eventIn({ from: "token", path: "", claim: "data" }, { eventType: [["eventType"]] }),
  secretHelp:
    "The app's public key, from -----BEGIN PUBLIC KEY----- to its end. Not the app secret.",
  whereToPaste:
    "App dashboard → Develop → Webhooks → Create Webhook: choose an event and " +
    "paste the catch URL as Callback URL. Get Public Key shows the key.",
  docsUrl:
    "https://dev.wix.com/docs/build-apps/develop-your-app/frameworks/self-hosting/webhooks/handle-events-with-webhooks-for-self-hosting-without-the-java-script-sdk",
  proof: { describedBy: "provider" },
  secretStartsWith: "-----BEGIN PUBLIC KEY-----",
};
