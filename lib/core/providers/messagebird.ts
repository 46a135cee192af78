import { claimProblem, jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const messagebird: Provider = {
  id: "messagebird",
  name: "Bird (MessageBird)",
  scheme: jwtScheme(
    "JSON Web Token, HS256, HS384 or HS512, with the SHA-256 of URL and body, in the header messagebird-signature-jwt",
    true,
    {
      header: "messagebird-signature-jwt",
      algorithms: ["HS256", "HS384", "HS512"],
      times: { required: ["exp"], leewaySeconds: 5 },
      issuer: ["MessageBird"],
      urlHash: "url_hash",
      bodyHash: { claim: "payload_hash", encoding: "hex", ifAny: true },
      checkClaims: (claims) =>
        typeof claims.jti === "string" ? null : claimProblem(claims, "jti"),
      sampleClaims: ({ id, timestampMs }) => ({ jti: id, nbf: Math.floor(timestampMs / 1000) }),
    },
  ),
  eventId: [
    allOf(
      inBody("type"),
      inBody("message.id"),
      inBody("message.status"),
      inBody("message.updatedDatetime"),
    ),
    allOf(inBody("type"), inBody("message.id"), inBody("message.status")),
    { ...byContent, withinSeconds: 86_400 },
  ],
  identity: {
    why: "A message is told of once for each state it is in, so type, status, and time count beside its id.",
    source: null,
  },
  eventType: [inBody("type")],
  secretHelp: "The signing key of the account, or the one that you set for the webhook.",
  whereToPaste:
    "Dashboard → Developers → the webhook or flow: paste the catch URL exactly as " +
    "shown here; Developers → API settings shows the signing key.",
  docsUrl: "https://developers.messagebird.com/api/#verifying-http-requests",
  proof: { package: "messagebird", describedBy: "provider" },
};
