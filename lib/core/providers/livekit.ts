import { jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Sent as application/webhook+json. The token may follow the word Bearer. */
export const livekit: Provider = {
  id: "livekit",
  name: "LiveKit",
  scheme: jwtScheme(
    "JSON Web Token, HS256, with the SHA-256 of the body, in the header authorization",
    true,
    {
      header: "authorization",
      mayBeBearer: true,
      algorithms: ["HS256"],
      times: { required: ["exp"], leewaySeconds: 60 },
      bodyHash: { claim: "sha256", encoding: "base64" },
    },
  ),
  eventId: [inBody("id")],
  identity: { why: "The body's id is that of the event.", source: "npm livekit-server-sdk" },
  eventType: [inBody("event")],
  secretHelp: "The API secret of the key that the webhook signs with. Not the API key.",
  whereToPaste:
    "Project → Settings → Webhooks: paste the catch URL and choose the " +
    "signing API key; Settings → Keys shows its secret.",
  docsUrl: "https://docs.livekit.io/home/server/webhooks/",
  proof: { package: "livekit-server-sdk", describedBy: "provider" },
  marks: { body: [{ path: "room.sid", is: /^RM_/, why: "its room has an id of LiveKit" }] },
};
