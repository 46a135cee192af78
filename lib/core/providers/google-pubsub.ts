import { claimProblem, jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { allOf, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Google signs such tokens for all customers, so the signature alone proves nothing: the token must
 * be from the expected service account and for this URL.
 */
export const googlePubsub: Provider = {
  id: "google-pubsub",
  name: "Google Cloud Pub/Sub (push)",
  scheme: jwtScheme(
    "OpenID Connect token of a service account, RS256 with Google's own keys, as bearer token",
    false,
    {
      header: "authorization",
      isBearer: true,
      algorithms: ["RS256"],
      times: { required: ["exp", "iat"], leewaySeconds: 60 },
      issuer: ["https://accounts.google.com", "accounts.google.com"],
      settings: [
        {
          name: "serviceAccountEmail",
          label: "Service account",
          help: "The email address of the service account that the subscription authenticates as.",
          example: "push@my-project.iam.gserviceaccount.com",
          pattern: /^[a-z0-9][a-z0-9._-]{0,100}@[a-z0-9.-]{1,150}\.gserviceaccount\.com$/,
        },
        {
          name: "audience",
          label: "Audience",
          help: "The audience of the subscription, where one was set.",
          example: "my-audience",
          pattern: /^[\x21-\x7e]{1,500}$/,
          fallback: "the catch URL, as Google has it where none was set",
        },
      ],
      source: ({ keyId }) => ({
        format: "jwks",
        url: "https://www.googleapis.com/oauth2/v3/certs",
        keyId: keyId ?? "",
      }),
      checkClaims: (claims, { url }, { settings }) => {
        if (claims.aud !== (settings.audience ?? url)) return claimProblem(claims, "aud");
        if (claims.email !== settings.serviceAccountEmail) return claimProblem(claims, "email");
        return claims.email_verified === true ? null : claimProblem(claims, "email_verified");
      },
      sampleClaims: ({ url, settings }) => ({
        aud: settings.audience ?? url,
        email: settings.serviceAccountEmail,
        email_verified: true,
      }),
    },
  ),
  eventId: [
    allOf(inBody("subscription"), inBody("message.messageId")),
    inBody("message.messageId"),
  ],
  identity: {
    why: "messageId is unique within its topic, so the subscription counts too.",
    source: "https://cloud.google.com/pubsub/docs/reference/rest/v1/PubsubMessage",
  },
  eventType: [inBody("message.attributes.eventType")],
  secretHelp: "None: Google publishes its keys. Fill in the service account instead.",
  whereToPaste:
    "Pub/Sub → Subscriptions → Create: choose Push, paste the catch URL, " +
    "switch Enable authentication on and choose a service account.",
  docsUrl: "https://cloud.google.com/pubsub/docs/authenticate-push-subscriptions",
  proof: { package: "google-auth-library", describedBy: "provider" },
  marks: {
    body: [
      { path: "message.messageId", is: /./, why: "its body has a message as Pub/Sub wraps it" },
      {
        path: "subscription",
        is: /^projects\/[^/]+\/subscriptions\/[^/]+$/,
        why: "it names a subscription of Pub/Sub",
        isSure: true,
      },
    ],
  },
};
