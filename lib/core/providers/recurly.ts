import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { checkAge, parseTimestamp } from "#lib/core/verify/scheme/timestamp.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "recurly-signature";
const subject = `the header ${header}`;
const maxSignatures = 10;
const window = { pastSeconds: 300, futureSeconds: 300 } as const;

/** The header is a list without keys: the time, then a signature per active key. */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA256, hex, of `{timestamp}.{body}` in the header recurly-signature, behind the time in milliseconds",
  window,
  takesSecret: true,
  proofHeaders: [header],
  findSecretProblem: () => null,
  prepare: withOneHeader(header, (value, { keys, request: { body }, nowMs, toleranceSeconds }) => {
    const [time = "", ...encoded] = value.split(",", maxSignatures + 2);
    if (encoded.length > maxSignatures) return fail("too_many_signatures", subject);
    const signatures = encoded.flatMap((text) => decodeMac(text, "sha256", "hex") ?? []);
    if (signatures.length === 0 || signatures.length < encoded.length)
      return fail("signature_malformed", subject);
    const sentMs = parseTimestamp(time, "ms");
    if (sentMs === null) return fail("timestamp_malformed", subject);
    if (!hasMac("sha256", keys, [toSignedBytes(time, body)], signatures))
      return fail("signature_mismatch", subject);
    return checkAge(sentMs, nowMs, window, toleranceSeconds, subject);
  }),
  sign: ({ secret, body, url, timestampMs }) => {
    const signature = computeHmac("sha256", secret, toSignedBytes(String(timestampMs), body));
    return { headers: { [header]: `${timestampMs},${signature.toString("hex")}` }, body, url };
  },
};

function toSignedBytes(time: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${time}.`), body]);
}

export const recurly: Provider = {
  id: "recurly",
  name: "Recurly",
  scheme,
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "The body names the object, what happened to it, and when. Older formats may " +
      "leave out the time, so equal bodies are one event for a day.",
    source: "https://docs.recurly.com/recurly-subscriptions/docs/overview-webhooks",
  },
  eventType: [inBody("event_type")],
  secretHelp: "The secret key of the webhook endpoint, used as text. Not an API key.",
  whereToPaste:
    "Integrations → Webhooks → New endpoint: paste the catch URL and choose JSON, " +
    "since XML is not signed; the list of endpoints shows the secret key.",
  docsUrl: "https://docs.recurly.com/recurly-subscriptions/docs/signature-verification",
  proof: { describedBy: "provider" },
};
