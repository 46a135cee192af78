import { decodeBase64url, looseMac } from "./shapes/loose-mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * Compared with skills/merge-onboarding/references/webhooks.md of
 * https://github.com/merge-api/merge-unified-skills on 2026-11-28, which ignores the padding.
 */
export const merge: Provider = {
  id: "merge",
  name: "Merge",
  scheme: looseMac("x-merge-webhook-signature", {
    proof: "HMAC-SHA256, base64url, of `{body}` in the header x-merge-webhook-signature",
    read: (header) => {
      const signature = decodeBase64url(header);
      return signature === null ? null : [signature];
    },
    write: (signature) => `${signature.toString("base64url")}=`,
  }),
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "hook.id is that of the webhook. Merge's advice is to tell events apart by the " +
      "signature, which is by the body: equal bodies are one event for a day.",
    source: "https://help.merge.dev/articles/5614281-merge-webhook-signatures",
  },
  eventType: [inBody("hook.event")],
  secretHelp: "The webhooks' signature key of the organization. Not an API key.",
  whereToPaste:
    "Dashboard → Advanced → Webhooks → + Webhook: paste the catch URL; " +
    "Security on the same page shows the signature key.",
  docsUrl: "https://docs.merge.dev/basics/webhooks/merge-webhooks",
  proof: { describedBy: "provider" },
};
