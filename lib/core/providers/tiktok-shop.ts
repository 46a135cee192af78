import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const subject = "the header authorization";

/** No time is signed. The app key is before the body in the signed text, and in no request. */
const scheme: CodeScheme = {
  kind: "code",
  proof: "HMAC-SHA256, hex, of the app key and `{body}` in the header authorization",
  takesSecret: true,
  proofHeaders: ["authorization"],
  settings: [
    {
      name: "appKey",
      label: "App key",
      help: "The app key that belongs to the secret: Partner Center → App & Service → your app.",
      example: "6a1b2c3d4e5f6",
      pattern: /^[A-Za-z0-9]{6,64}$/,
    },
  ],
  findSecretProblem: () => null,
  prepare: withOneHeader("authorization", (value, { keys, request: { body }, settings }) => {
    const signature = decodeMac(value, "sha256", "hex");
    if (signature === null) return fail("signature_malformed", subject);
    const signed = toSignedBytes(settings.appKey, body);
    return hasMac("sha256", keys, [signed], [signature])
      ? null
      : fail("signature_mismatch", subject);
  }),
  sign: ({ secret, settings, body, url }) => {
    const signature = computeHmac("sha256", secret, toSignedBytes(settings.appKey, body));
    return { headers: { authorization: signature.toString("hex") }, body, url };
  },
};

function toSignedBytes(appKey: string | undefined, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(appKey ?? ""), body]);
}

export const tiktokShop: Provider = {
  id: "tiktok-shop",
  name: "TikTok Shop",
  scheme,
  eventId: [inBody("tts_notification_id")],
  identity: {
    why: "Each notification has an id of its own, which stays the same on retries.",
    source: "https://partner.tiktokshop.com/docv2/page/tts-webhooks-overview",
  },
  eventType: [inBody("type")],
  secretHelp: "The app's App secret. The app key is asked for beside it.",
  whereToPaste:
    "Partner Center → App & Service → your app → Developing → Webhook: paste the catch URL " +
    "for each event that you want. The app's page shows App key and App secret.",
  docsUrl: "https://partner.tiktokshop.com/docv2/page/tts-webhooks-overview",
  proof: { describedBy: "others" },
  response: { body: "" },
  respondWithinSeconds: 3,
  marks: {
    body: [{ path: "tts_notification_id", is: /^\d+$/, why: "its body has a tts_notification_id" }],
  },
};
