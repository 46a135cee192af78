/** Models, voices and agents. */
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, inBody, pairMac } from "./shapes.ts";

export const intelligence: readonly Provider[] = [
  /** `v0` is the living version here, and a decoy at Stripe. */
  {
    id: "elevenlabs",
    name: "ElevenLabs",
    scheme: pairMac("elevenlabs-signature", { key: "v0", window: 1800 }),
    eventId: [byContent],
    eventType: [inBody("type")],
    secretHelp: "The webhook's shared secret (wsec_…), whole; it is shown once.",
    whereToPaste: "Settings → Webhooks → Create: paste the catch URL, choose HMAC and copy the secret.",
    docsUrl: "https://elevenlabs.io/docs/overview/administration/webhooks",
    answerWithinSeconds: 10,
  },
  {
    id: "retell",
    name: "Retell AI",
    scheme: pairMac("x-retell-signature", {
      template: "{body}{timestamp}",
      key: "d",
      timeKey: "v",
      unit: "ms",
    }),
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The API key that is marked for webhooks.",
    whereToPaste:
      "Dashboard → Webhooks (or the agent's settings): paste the catch URL as Webhook URL; API Keys shows the key.",
    docsUrl: "https://docs.retellai.com/features/secure-webhook",
    confirmed: false,
  },
  {
    id: "vapi",
    name: "Vapi",
    scheme: bodyMac("x-vapi-signature"),
    eventId: [byContent],
    eventType: [inBody("message.type")],
    secretHelp: "The secret that you set for the server URL with HMAC.",
    whereToPaste:
      "Dashboard → Assistant → Messaging → Server URL: paste the catch URL and set the HMAC secret.",
    docsUrl: "https://docs.vapi.ai/server-url/server-authentication",
    confirmed: false,
  },
  {
    id: "langfuse",
    name: "Langfuse",
    scheme: pairMac("x-langfuse-signature"),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The automation's webhook secret, shown when it is made.",
    whereToPaste: "Project → Prompts → Automations → Create: paste the catch URL and copy the secret.",
    docsUrl: "https://langfuse.com/docs/prompt-management/features/webhooks-slack-integrations",
    confirmed: false,
  },
  {
    id: "firecrawl",
    name: "Firecrawl",
    scheme: bodyMac("x-firecrawl-signature", { prefix: "sha256=" }),
    eventId: [byContent],
    eventType: [inBody("type")],
    secretHelp: "The account's webhook secret.",
    whereToPaste:
      "Send the catch URL as webhook.url with each job; Settings → Advanced shows the webhook secret.",
    docsUrl: "https://docs.firecrawl.dev/webhooks/security",
    confirmed: false,
  },
];
