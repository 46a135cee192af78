import { decodeHexOrBase64, looseMac } from "./shapes/loose-mac.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The page shows a signature in base64, and code that makes one in hexadecimal. Compared with
 * https://developer.shopline.com/docs/apps/api-instructions-for-use/generate-and-verify-signatures
 * on 2026-11-28.
 */
export const shopline: Provider = {
  id: "shopline",
  name: "SHOPLINE",
  scheme: looseMac("x-shopline-hmac-sha256", {
    proof: "HMAC-SHA256, hex or base64, of `{body}` in the header x-shopline-hmac-sha256",
    read: (header) => {
      const signature = decodeHexOrBase64(header);
      return signature === null ? null : [signature];
    },
    write: (signature) => signature.toString("base64"),
  }),
  eventId: [inHeader("x-shopline-webhook-id")],
  identity: {
    why: "Each message has its own X-Shopline-Webhook-Id, which stays the same when it is sent again.",
    source: "https://developer.shopline.com/docs/apps/api-instructions-for-use/webhooks/overview",
  },
  replay: { isOn: false, why: "no timestamp is signed, and equal bodies may be two events" },
  eventType: [inHeader("x-shopline-topic")],
  secretHelp: "The app secret. Not an access token.",
  whereToPaste:
    "Subscribe to a webhook over the Admin API with the catch URL as address; " +
    "Partner Portal → your app → App credentials shows the app secret.",
  docsUrl: "https://developer.shopline.com/docs/apps/api-instructions-for-use/webhooks/overview",
  proof: { describedBy: "provider" },
};
