import { claimProblem, jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The token names its URL. Upstash signs with the current key, and with the next one after a
 * rotation.
 */
export const qstash: Provider = {
  id: "qstash",
  name: "QStash (Upstash)",
  scheme: jwtScheme(
    "JSON Web Token, HS256, for one URL, with the SHA-256 of the body, in the header upstash-signature",
    true,
    {
      header: "upstash-signature",
      algorithms: ["HS256"],
      times: { required: ["exp"], leewaySeconds: 60 },
      issuer: ["Upstash"],
      bodyHash: { claim: "body", encoding: "base64url" },
      checkClaims: (claims, { url }) => (claims.sub === url ? null : claimProblem(claims, "sub")),
      sampleClaims: ({ id, url }) => ({ sub: url, jti: `jwt_${id}` }),
    },
  ),
  eventId: [inHeader("upstash-message-id"), { ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "Upstash-Message-Id is that of the message, and stays the same on retries.",
    source: "https://upstash.com/docs/qstash/howto/receiving",
  },
  eventType: [],
  secretHelp:
    "The current signing key (sig_…), whole. Add the next signing key as a second secret.",
  whereToPaste:
    "Publish messages to the catch URL, or make a schedule for it; " +
    "Upstash Console → QStash → Signing keys shows both keys.",
  docsUrl: "https://upstash.com/docs/qstash/howto/signature",
  proof: { package: "@upstash/qstash", describedBy: "provider" },
  marks: { userAgent: /^Upstash-QStash/ },
};
