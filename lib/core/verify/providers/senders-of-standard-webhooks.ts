/** Senders that follow Standard Webhooks to the letter, or all but. */
import type { Provider } from "../provider.ts";
import { inBody, inHeader } from "./shapes.ts";
import { standardScheme, standardWebhooks } from "./standard-webhooks.ts";

type Sender = Pick<Provider, "id" | "name" | "whereToPaste" | "docsUrl"> & Partial<Provider>;

export const sendersOfStandardWebhooks: readonly Provider[] = [
  follow({
    id: "anthropic",
    name: "Anthropic",
    whereToPaste:
      "Claude Console → Settings → Webhooks → Add endpoint: paste the catch URL and copy the signing secret.",
    docsUrl: "https://platform.claude.com/docs",
  }),

  follow({
    id: "replicate",
    name: "Replicate",
    eventType: [inBody("status")],
    whereToPaste:
      "Send the catch URL as webhook with each prediction; GET /v1/webhooks/default/secret answers with the signing secret.",
    docsUrl: "https://replicate.com/docs/topics/webhooks/verify-webhook",
  }),

  follow({
    id: "dodo-payments",
    name: "Dodo Payments",
    whereToPaste:
      "Dashboard → Developer → Webhooks → Add endpoint: paste the catch URL and copy the secret key.",
    docsUrl: "https://docs.dodopayments.com/developer-resources/webhooks",
  }),

  follow({
    id: "lithic",
    name: "Lithic",
    eventType: [inBody("event_type")],
    whereToPaste:
      "Dashboard → Program → Event subscriptions → Add: paste the catch URL and copy the subscription's secret.",
    docsUrl: "https://docs.lithic.com/docs/events-api",
  }),

  follow({
    id: "liveblocks",
    name: "Liveblocks",
    scheme: standardScheme("webhook", { prefixRequired: true }),
    whereToPaste: "Project → Webhooks → Create endpoint: paste the catch URL and copy the signing secret.",
    docsUrl: "https://liveblocks.io/docs/platform/webhooks",
  }),

  follow({
    id: "incident-io",
    name: "incident.io",
    eventType: [inBody("event_type")],
    whereToPaste:
      "Settings → Webhooks → Create endpoint: paste the catch URL and copy the endpoint's signing secret.",
    docsUrl: "https://docs.incident.io/integrations/webhooks",
  }),

  follow({
    id: "loops",
    name: "Loops",
    eventType: [inBody("eventName")],
    secretHelp:
      "What follows the first underscore of the signing secret: base64, which is decoded. Leave out the text in front and the underscore, unless it is whsec_.",
    whereToPaste: "Settings → Webhooks: paste the catch URL and copy the signing secret.",
    docsUrl: "https://loops.so/docs/webhooks",
  }),

  follow({
    id: "fathom",
    name: "Fathom",
    whereToPaste:
      "User Settings → API Access → Add Webhook: paste the catch URL and copy the secret. If headers named svix-… arrive, choose Svix.",
    docsUrl: "https://developers.fathom.ai/webhooks",
  }),

  follow({
    id: "folk",
    name: "Folk",
    whereToPaste:
      "Create a webhook over the API with the catch URL as targetUrl; the answer holds the secret.",
    docsUrl: "https://developer.folk.app",
  }),

  follow({
    id: "render",
    name: "Render",
    whereToPaste:
      "Workspace → Integrations → Webhooks → Create Webhook: paste the catch URL and copy the signing secret.",
    docsUrl: "https://render.com/docs/webhooks",
  }),

  follow({
    id: "recall-ai",
    name: "Recall.ai",
    eventType: [inBody("event")],
    whereToPaste:
      "Dashboard → Webhooks → Add Endpoint: paste the catch URL and copy the verification secret. If headers named svix-… arrive, choose Svix.",
    docsUrl: "https://docs.recall.ai/docs/authenticating-requests-from-recallai",
  }),

  follow({
    id: "browserbase",
    name: "Browserbase",
    whereToPaste: "Dashboard → Settings → Webhooks: paste the catch URL and copy the signing secret.",
    docsUrl: "https://docs.browserbase.com",
  }),

  follow({
    id: "composio",
    name: "Composio",
    whereToPaste: "Project Settings → Webhook: paste the catch URL and copy the webhook secret.",
    docsUrl: "https://docs.composio.dev/docs/using-triggers",
  }),

  follow({
    id: "brex",
    name: "Brex",
    scheme: standardScheme("svix", { prefixRequired: false }),
    eventId: [inHeader("svix-id")],
    eventType: [inBody("event_type")],
    whereToPaste:
      "Register the catch URL with POST /v1/webhooks; GET /v1/webhooks/secrets answers with the signing secret.",
    docsUrl: "https://developer.brex.com/docs/webhooks/",
    confirmed: false,
  }),

  /** The key is the text of the whole secret: Polar's package encodes it before the library decodes it again. */
  follow({
    id: "polar",
    name: "Polar",
    scheme: { ...standardScheme("webhook", { prefixRequired: false }), secret: { decode: "utf8" } },
    secretHelp: "The endpoint's secret, whole. It is used as text and not decoded, whatever it looks like.",
    whereToPaste:
      "Organisation → Settings → Webhooks → Add Endpoint: paste the catch URL, format Raw, and set or generate the secret.",
    docsUrl: "https://polar.sh/docs/integrate/webhooks/delivery",
  }),
];

/** Secrets of most of them start with `whsec_`, but not of all: nothing is warned of. */
function follow(sender: Sender): Provider {
  const { secretStartsWith: _none, ...common } = standardWebhooks;
  return { ...common, ...sender };
}
