import { claimProblem, jwtScheme } from "#lib/core/verify/jwt/jwt-scheme.ts";
import { eventIn } from "./shapes/events-at.ts";
import { byContent } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://docs.kinde.com/integrate/webhooks/about-webhooks/";

/** Claims of access and ID tokens, which events don't have. */
const claimsOfOthers = ["scp", "scope", "aud", "sub", "azp", "gty", "nonce"];

/**
 * The body is a token. Each business signs with its own keys, and also signs the tokens of its
 * customers' end users with them: only a token with the claims of an event is one. Compared with
 * https://docs.kinde.com/integrate/webhooks/about-webhooks/ and `WebhookBase` of npm `@kinde/webhook`
 * on 2026-11-28.
 */
export const kinde: Provider = {
  id: "kinde",
  name: "Kinde",
  scheme: jwtScheme(
    "JSON Web Token, RS256 with the published keys of your business, which is the body",
    false,
    {
      header: "",
      isBody: true,
      algorithms: ["RS256"],
      times: { required: [], leewaySeconds: 60 },
      checkClaims: (claims) => {
        const missing = ["event_id", "type"].find((name) => !isFilled(claims[name]));
        const foreign = claimsOfOthers.find((name) => claims[name] !== undefined);
        const wrong = missing ?? foreign;
        return wrong === undefined ? null : claimProblem(claims, wrong);
      },
      settings: [
        {
          name: "subdomain",
          label: "Subdomain",
          help: "The first part of your Kinde domain, before .kinde.com.",
          example: "acme",
          pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
        },
      ],
      source: ({ keyId }, { settings }) => ({
        format: "jwks",
        url: `https://${settings.subdomain}.kinde.com/.well-known/jwks`,
        keyId: keyId ?? "",
      }),
      sampleClaims: ({ body }) => JSON.parse(Buffer.from(body).toString("utf8")),
    },
  ),
  eventId: [byContent],
  identity: { why: "Each event has its own event_id, which is signed.", source: docsUrl },
  eventType: [],
  batch: eventIn({ from: "token", path: "" }, { eventId: [["event_id"]], eventType: [["type"]] }),
  secretHelp: "None: Kinde publishes its keys. Fill in your subdomain instead.",
  whereToPaste:
    "Settings → Environment → Webhooks → Add webhook: paste the catch URL as Endpoint and choose events.",
  docsUrl,
  proof: { describedBy: "provider" },
};

function isFilled(claim: unknown): boolean {
  return typeof claim === "string" && claim.trim() !== "";
}
