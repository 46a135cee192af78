import { jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const anyTime = { required: [], leewaySeconds: 60 } as const;

/**
 * The pasted key determines the algorithm: a shared secret allows HS*, a public key only its own
 * kind.
 */
export const fusionauth: Provider = {
  id: "fusionauth",
  name: "FusionAuth",
  scheme: jwtScheme(
    "JSON Web Token (HS256, HS384, HS512, RS256, ES256 or EdDSA, as the pasted key is), " +
      "with the SHA-256 of the body, in the header x-fusionauth-signature-jwt",
    true,
    {
      header: "x-fusionauth-signature-jwt",
      algorithms: ["HS256", "HS384", "HS512", "RS256", "ES256", "EdDSA"],
      times: anyTime,
      bodyHash: { claim: "request_body_sha256", encoding: "base64" },
    },
  ),
  eventId: [inBody("event.id")],
  identity: { why: "event.id is that of the event, and stays the same on retries.", source: null },
  eventType: [inBody("event.type")],
  secretHelp: "The secret of an HMAC key, or the public key as PEM of an RSA, EC or EdDSA key.",
  whereToPaste:
    "Settings → Webhooks → Add: paste the catch URL and choose a signing " +
    "key under Security; Settings → Key Master shows the key.",
  docsUrl: "https://fusionauth.io/docs/extend/events-and-webhooks/signing",
  proof: { describedBy: "others" },
};
