import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { checkAge, parseTimestamp } from "#lib/core/verify/scheme/timestamp.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "gcms-signature";

const subject = `the header ${header}`;

const window = { pastSeconds: 300, futureSeconds: 300 } as const;

/** The body is wrapped in JSON as a string, with the environment and the time in milliseconds. */
function toSignedText(body: Uint8Array, environment: string, timeMs: number): string {
  const text = Buffer.from(body).toString("utf8");
  return JSON.stringify({ Body: text, EnvironmentName: environment, TimeStamp: timeMs });
}

const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA256, base64, of a JSON object that holds body, environment and time, in the header gcms-signature",
  window,
  takesSecret: true,
  proofHeaders: [header],
  findSecretProblem: () => null,
  prepare: withOneHeader(header, (value, { keys, request: { body }, nowMs, toleranceSeconds }) => {
    const parts = /^sign=([^,\s]{1,64}), env=([A-Za-z0-9_.-]{1,128}), t=([0-9]{1,16})$/.exec(value);
    const [, encoded = "", environment = "", time = ""] = parts ?? [];
    const signature = decodeMac(encoded, "sha256", "base64");
    if (signature === null) return fail("signature_malformed", subject);
    const sentMs = parseTimestamp(time, "ms");
    if (sentMs === null) return fail("timestamp_malformed", `the part t of ${subject}`);
    const text = toSignedText(body, environment, sentMs);
    if (!hasMac("sha256", keys, [text], [signature])) return fail("signature_mismatch", subject);
    return checkAge(sentMs, nowMs, window, toleranceSeconds, `the part t of ${subject}`);
  }),
  sign: ({ secret, body, url, timestampMs }) => {
    const signature = computeHmac(
      "sha256",
      secret,
      toSignedText(body, "master", timestampMs),
    ).toString("base64");
    return { headers: { [header]: `sign=${signature}, env=master, t=${timestampMs}` }, body, url };
  },
};

export const hygraph: Provider = {
  id: "hygraph",
  name: "Hygraph",
  scheme,
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why:
      "There is no id. The body is the operation and the entry with " +
      "its times; equal bodies are one event for a day.",
    source: null,
  },
  eventType: [inBody("operation")],
  secretHelp: "The secret key that you typed for the webhook.",
  isSecretChosen: true,
  whereToPaste: "Project → Webhooks → Add webhook: paste the catch URL and fill in the secret key.",
  docsUrl: "https://hygraph.com/docs/api-reference/basics/webhooks",
  proof: { package: "@hygraph/utils", describedBy: "provider" },
};
