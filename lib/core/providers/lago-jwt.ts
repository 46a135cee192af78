import { jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const anyTime = { required: [], leewaySeconds: 60 } as const;

export const lagoJwt: Provider = {
  id: "lago-jwt",
  name: "Lago (JWT signatures)",
  scheme: jwtScheme(
    "JSON Web Token, RS256, that holds the whole event, in the header x-lago-signature",
    true,
    {
      header: "x-lago-signature",
      algorithms: ["RS256"],
      times: anyTime,
      checkClaims: (claims, { body }) => {
        if (typeof claims.data !== "string")
          return fail("claim_missing", "the claim data of the token");
        const isSame = Buffer.from(claims.data, "utf8").equals(body);
        return isSame ? null : fail("body_mismatch", "the claim data of the token");
      },
      sampleClaims: ({ body }) => ({ data: Buffer.from(body).toString("utf8") }),
    },
  ),
  eventId: [inHeader("x-lago-unique-key")],
  identity: {
    why: "Each event has its own X-Lago-Unique-Key, which is made for this purpose.",
    source: "https://getlago.com/docs/api-reference/webhooks/format---signature",
  },
  eventType: [inBody("webhook_type")],
  secretHelp: "Lago's public key: base64 of a PEM, as GET /api/v1/webhooks/public_key answers.",
  whereToPaste:
    "Developers → Webhooks → Add a webhook: paste the catch URL, choose " +
    "JWT as signature, and get the public key over the API.",
  docsUrl: "https://getlago.com/docs/api-reference/webhooks/format---signature",
  proof: { describedBy: "others" },
};
