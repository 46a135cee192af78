import { jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { allOf, byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const anyTime = { required: [], leewaySeconds: 60 } as const;

export const netlify: Provider = {
  id: "netlify",
  name: "Netlify",
  scheme: jwtScheme(
    "JSON Web Token, HS256, with the SHA-256 of the body, in the header x-webhook-signature",
    true,
    {
      header: "x-webhook-signature",
      algorithms: ["HS256"],
      times: anyTime,
      issuer: ["netlify"],
      bodyHash: { claim: "sha256", encoding: "hex" },
    },
  ),
  eventId: [allOf(inHeader("x-netlify-event"), byContent), byContent],
  identity: {
    why:
      "A deploy has one id through all of its states. The body holds the state and the time " +
      "of the change; the event is only in the header, and one change can cause several.",
    source: "https://docs.netlify.com/deploy/deploy-notifications/",
  },
  eventType: [inHeader("x-netlify-event"), inBody("state")],
  secretHelp: "The JWS secret token that you typed for the notification.",
  isSecretChosen: true,
  whereToPaste:
    "Project configuration → Notifications → Add notification → HTTP POST " +
    "request: paste the catch URL and fill in the JWS secret token.",
  docsUrl: "https://docs.netlify.com/deploy/deploy-notifications/",
  proof: { describedBy: "others" },
};
