import type { Provider } from "../provider.ts";

/** No timestamp is sent: a replay is stopped by de-duplication on `X-GitHub-Delivery` alone. */
export const github: Provider = {
  id: "github",
  name: "GitHub",
  scheme: {
    kind: "mac",
    mac: "hmac",
    hash: "sha256",
    encoding: "hex",
    signature: {
      sources: [{ from: "header", name: "x-hub-signature-256" }],
      format: { type: "prefixed", prefix: "sha256=" },
    },
    signed: { template: "{body}" },
    secret: { decode: "utf8" },
  },
  eventId: [{ from: "header", name: "x-github-delivery" }],
  eventType: [{ from: "header", name: "x-github-event" }],
  secretHelp: "The text that you typed into the webhook's Secret field. GitHub does not show it again.",
  whereToPaste:
    "Repository or organisation → Settings → Webhooks → Add webhook: paste the catch URL as Payload URL, choose application/json and fill in Secret.",
  docsUrl: "https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries",
};
