import { jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** The provider's package checks only the token. Anyone with a token could then send any body. */
export const vonage: Provider = {
  id: "vonage",
  name: "Vonage",
  scheme: jwtScheme("JSON Web Token, HS256, with the SHA-256 of the body, as bearer token", true, {
    header: "authorization",
    isBearer: true,
    algorithms: ["HS256"],
    times: { required: ["iat"], maxAgeSeconds: 300, leewaySeconds: 300 },
    bodyHash: { claim: "payload_hash", encoding: "hex", ifAny: true },
    sampleClaims: ({ id }) => ({ iss: "Vonage", jti: id, api_key: "sample" }),
  }),
  eventId: [
    allOf(inBody("message_uuid"), inBody("status"), inBody("timestamp")),
    allOf(inBody("message_uuid"), inBody("status")),
    allOf(inBody("message_uuid"), inBody("message_type")),
    allOf(inBody("uuid"), inBody("status"), inBody("timestamp")),
    { ...byContent, withinSeconds: 86_400 },
  ],
  identity: {
    why: "A message has one id through submitted, delivered, and read, so status and time count too.",
    source: null,
  },
  eventType: [inBody("status"), inBody("message_type")],
  secretHelp: "The account's Signature secret. Not the API secret.",
  whereToPaste:
    "Vonage dashboard → Applications → your application: paste the catch URL as the " +
    "webhook's URL and choose POST; API Settings shows the Signature secret.",
  docsUrl: "https://developer.vonage.com/en/getting-started/concepts/webhooks",
  proof: { package: "@vonage/jwt", describedBy: "provider" },
};
