import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "x-infisical-signature";

const subject = `the header ${header}`;

/** `t=…;signature`: the time isn't signed, so it proves nothing. */
const scheme: CodeScheme = {
  kind: "code",
  proof: "HMAC-SHA256, hex, of `{body}` behind the time in the header x-infisical-signature",
  takesSecret: true,
  proofHeaders: [header],
  findSecretProblem: () => null,
  prepare: withOneHeader(header, (value, { keys, request: { body } }) => {
    const encoded = /^t=[0-9]{1,16};([0-9A-Fa-f]{64})$/.exec(value)?.[1];
    const signature = encoded === undefined ? null : decodeMac(encoded, "sha256", "hex");
    if (signature === null) return fail("signature_malformed", subject);
    return hasMac("sha256", keys, [body], [signature]) ? null : fail("signature_mismatch", subject);
  }),
  sign: ({ secret, body, url, timestampMs }) => ({
    headers: {
      [header]: `t=${timestampMs};${computeHmac("sha256", secret, body).toString("hex")}`,
    },
    body,
    url,
  }),
};

export const infisical: Provider = {
  id: "infisical",
  name: "Infisical",
  scheme,
  eventId: [],
  identity: {
    why:
      "The time in the body is empty in the documented example, so two changes " +
      "of one folder may look alike. Every delivery is an event.",
    source: null,
  },
  eventType: [inBody("event")],
  secretHelp: "The secret key that you typed for the webhook. Without one Infisical signs nothing.",
  isSecretChosen: true,
  whereToPaste:
    "Project Settings → Webhooks → Create: choose General, paste the catch URL and fill in a secret key.",
  docsUrl: "https://infisical.com/docs/documentation/platform/webhooks",
  proof: { describedBy: "others" },
};
