import { computeHmac, decodeMac, hasMac, toKeys } from "../code-mac.ts";
import type { CodeScheme } from "../code-scheme.ts";
import { fail } from "../failure.ts";
import type { Provider } from "../provider.ts";
import { readHeader } from "../request-view.ts";
import { byContent, inBody } from "./shapes.ts";

const header = "x-infisical-signature";
const subject = `the header ${header}`;

/** `t=…;signature`: the time stands beside the signature and is not signed, so it proves nothing. */
const scheme: CodeScheme = {
  kind: "code",
  proof: "HMAC-SHA256, hex, of `{body}` behind the time in the header x-infisical-signature",
  takesSecret: true,
  findSecretProblem: () => null,
  prepare: ({ secrets }) => {
    const keys = toKeys(secrets);
    if (keys === null) return null;
    return ({ headers, body }) => {
      const reading = readHeader(headers, header);
      if (reading.found === "none") return fail("signature_missing", subject);
      if (reading.found === "many") return fail("header_repeated", subject);
      const encoded = /^t=[0-9]{1,16};([0-9a-f]{64})$/.exec(reading.value)?.[1];
      const signature = encoded === undefined ? null : decodeMac(encoded, "sha256", "hex");
      if (signature === null) return fail("signature_malformed", subject);
      return hasMac("sha256", keys, [body], [signature]) ? null : fail("signature_mismatch", subject);
    };
  },
  sign: ({ secret, body, url, timestampMs }) => ({
    headers: { [header]: `t=${timestampMs};${computeHmac("sha256", secret, body).toString("hex")}` },
    body,
    url,
  }),
};

export const infisical: Provider = {
  id: "infisical",
  name: "Infisical",
  scheme,
  eventId: [byContent],
  eventType: [inBody("event")],
  secretHelp: "The secret key that you typed for the webhook. Without one Infisical signs nothing.",
  whereToPaste:
    "Project Settings → Webhooks → Create: choose General, paste the catch URL and fill in a secret key.",
  docsUrl: "https://infisical.com/docs/documentation/platform/webhooks",
  confirmed: false,
};
