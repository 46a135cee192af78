/** Senders whose proof is a JSON Web Token. Its algorithm is pinned, and most say in it what the body's hash is. */
import { mondayHandshakes } from "#lib/core/handshake/senders.ts";
import { fail } from "../failure.ts";
import { claimProblem, jwtScheme } from "../jwt-scheme.ts";
import type { Provider } from "../provider.ts";
import { byContent, inBody, inHeader } from "./shapes.ts";

const anyTime = { required: [], leewaySeconds: 60 } as const;

export const webTokens: readonly Provider[] = [
  {
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
    // A deploy has one id through all of its states.
    eventId: [byContent],
    eventType: [inHeader("x-netlify-event"), inBody("state")],
    secretHelp: "The JWS secret token that you typed for the notification.",
    whereToPaste:
      "Project configuration → Notifications → Add notification → HTTP POST request: paste the catch URL and fill in the JWS secret token.",
    docsUrl: "https://docs.netlify.com/deploy/deploy-notifications/",
    confirmed: false,
  },
  /** Sent as application/webhook+json. */
  {
    id: "livekit",
    name: "LiveKit",
    scheme: jwtScheme(
      "JSON Web Token, HS256, with the SHA-256 of the body, in the header authorization",
      true,
      {
        header: "authorization",
        algorithms: ["HS256"],
        times: { required: ["exp"], leewaySeconds: 60 },
        bodyHash: { claim: "sha256", encoding: "base64" },
      },
    ),
    eventId: [inBody("id")],
    eventType: [inBody("event")],
    secretHelp: "The API secret of the key that the webhook signs with. Not the API key.",
    whereToPaste:
      "Project → Settings → Webhooks: paste the catch URL and choose the signing API key; Settings → Keys shows its secret.",
    docsUrl: "https://docs.livekit.io/home/server/webhooks/",
  },
  /** The key that is pasted decides the algorithm: a shared secret takes HS*, a public key its own kind only. */
  {
    id: "fusionauth",
    name: "FusionAuth",
    scheme: jwtScheme(
      "JSON Web Token (HS256, HS384, HS512, RS256, ES256 or EdDSA, as the pasted key is), with the SHA-256 of the body, in the header x-fusionauth-signature-jwt",
      true,
      {
        header: "x-fusionauth-signature-jwt",
        algorithms: ["HS256", "HS384", "HS512", "RS256", "ES256", "EdDSA"],
        times: anyTime,
        bodyHash: { claim: "request_body_sha256", encoding: "base64" },
      },
    ),
    eventId: [inBody("event.id")],
    eventType: [inBody("event.type")],
    secretHelp: "The secret of an HMAC key, or the public key as PEM of an RSA, EC or EdDSA key.",
    whereToPaste:
      "Settings → Webhooks → Add: paste the catch URL and choose a signing key under Security; Settings → Key Master shows the key.",
    docsUrl: "https://fusionauth.io/docs/extend/events-and-webhooks/signing",
    confirmed: false,
  },
  /** The package of the sender checks the token alone; whoever has one could then send any body with it. */
  {
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
    eventId: [inBody("message_uuid"), byContent],
    eventType: [inBody("status"), inBody("message_type")],
    secretHelp: "The account's Signature secret. Not the API secret.",
    whereToPaste:
      "Vonage dashboard → Applications → your application: paste the catch URL as the webhook's URL with POST; API Settings shows the Signature secret.",
    docsUrl: "https://developer.vonage.com/en/getting-started/concepts/webhooks",
  },
  {
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
        checkClaims: (claims) => (typeof claims.jti === "string" ? null : claimProblem(claims, "jti")),
        sampleClaims: ({ id, timestampMs }) => ({ jti: id, nbf: Math.floor(timestampMs / 1000) }),
      },
    ),
    eventId: [inBody("message.id"), inBody("id"), byContent],
    eventType: [inBody("type")],
    secretHelp: "The signing key of the account, or the one that you set for the webhook.",
    whereToPaste:
      "Dashboard → Developers → the webhook or flow: paste the catch URL exactly as shown here; Developers → API settings shows the signing key.",
    docsUrl: "https://developers.messagebird.com/api/#verifying-http-requests",
  },
  {
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
          if (typeof claims.data !== "string") return fail("claim_missing", "the claim data of the token");
          const isSame = Buffer.from(claims.data, "utf8").equals(body);
          return isSame ? null : fail("body_mismatch", "the claim data of the token");
        },
        sampleClaims: ({ body }) => ({ data: Buffer.from(body).toString("utf8") }),
      },
    ),
    eventId: [inHeader("x-lago-unique-key")],
    eventType: [inBody("webhook_type")],
    secretHelp: "Lago's public key: base64 of a PEM, as GET /api/v1/webhooks/public_key answers.",
    whereToPaste:
      "Developers → Webhooks → Add a webhook: paste the catch URL, choose JWT as signature, and get the public key over the API.",
    docsUrl: "https://getlago.com/docs/api-reference/webhooks/format---signature",
    confirmed: false,
  },
  /** Says who called and nothing of the body. */
  {
    id: "monday",
    name: "monday.com",
    scheme: jwtScheme("JSON Web Token, HS256, in the header authorization", true, {
      header: "authorization",
      algorithms: ["HS256"],
      times: { required: ["exp"], leewaySeconds: 60 },
    }),
    eventId: [inBody("event.triggerUuid"), byContent],
    eventType: [inBody("event.type")],
    secretHelp:
      "The app's Signing Secret. Webhooks without an app are not signed: use a bearer token in the URL's place.",
    whereToPaste:
      "Developer Center → your app → Features or Webhooks: paste the catch URL; Basic Information shows the Signing Secret.",
    docsUrl: "https://developer.monday.com/apps/docs/integration-authorization",
    handshakes: mondayHandshakes,
    confirmed: false,
  },
];
