import { jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Plaid rotates its keys, so a pasted one would stop working. They are requested by id with the
 * account's credentials, and cached. `request_body_sha256` is compared with the bytes as received.
 */
export const plaid: Provider = {
  id: "plaid",
  name: "Plaid",
  scheme: jwtScheme(
    "JSON Web Token, ES256 with Plaid's own key, with the SHA-256 of the body, in the header plaid-verification",
    true,
    {
      header: "plaid-verification",
      algorithms: ["ES256"],
      times: { required: ["iat"], maxAgeSeconds: 300, leewaySeconds: 60 },
      bodyHash: { claim: "request_body_sha256", encoding: "hex" },
      settings: [
        {
          name: "clientId",
          label: "Client ID",
          help: "The client_id of your Plaid team: Dashboard → Developers → Keys.",
          example: "5e6b1f2c3d4a5b6c7d8e9f01",
          pattern: /^[0-9a-f]{24}$/,
        },
        {
          name: "environment",
          label: "Environment",
          help: "The environment that the secret is of.",
          example: "production",
          pattern: /^(?:production|sandbox)$/,
          fallback: "production",
        },
      ],
      source: ({ keyId }, { settings }, secret) => ({
        format: "plaid",
        url: `https://${settings.environment ?? "production"}.plaid.com/webhook_verification_key/get`,
        keyId: keyId ?? "",
        body: JSON.stringify({ client_id: settings.clientId, secret, key_id: keyId ?? "" }),
      }),
    },
  ),
  eventId: [],
  identity: {
    why:
      "SYNC_UPDATES_AVAILABLE has neither an id nor a time, so the next one looks the " +
      "same, and may come within the day of retries. Every delivery is an event.",
    source: "https://plaid.com/docs/api/webhooks/",
  },
  eventType: [inBody("webhook_code")],
  secretHelp:
    "The API secret of the environment. Plaid gives out the key to a signature " +
    "only to its customers; the secret is used for that alone.",
  whereToPaste:
    "Pass the catch URL as webhook to /link/token/create or " +
    "/item/webhook/update; Dashboard → Developers → Keys shows client_id and secret.",
  docsUrl: "https://plaid.com/docs/api/webhooks/webhook-verification/",
  proof: { describedBy: "provider" },
  marks: { body: [{ path: "webhook_code", is: /./, why: "its body has a webhook_code" }] },
};
