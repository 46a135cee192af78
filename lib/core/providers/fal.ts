import { createHash, sign, verify } from "node:crypto";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import { findKeys, isKeyList } from "#lib/core/verify/scheme/find-keys.ts";
import { readHeader, type VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { checkAge, parseTimestamp } from "#lib/core/verify/scheme/timestamp.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const names = {
  requestId: "x-fal-webhook-request-id",
  userId: "x-fal-webhook-user-id",
  time: "x-fal-webhook-timestamp",
  signature: "x-fal-webhook-signature",
} as const;

type Values = Readonly<Record<keyof typeof names, string>>;

const subject = `the header ${names.signature}`;

const window = { pastSeconds: 300, futureSeconds: 300 } as const;

function readValues({ headers }: VerifyRequest): Values | VerifyFailure {
  const values: Record<string, string> = {};
  for (const [key, name] of Object.entries(names)) {
    const reading = readHeader(headers, name);
    if (reading.found === "many") return fail("header_repeated", `the header ${name}`);
    if (reading.found === "none")
      return fail(
        key === "signature" ? "signature_missing" : "header_missing",
        `the header ${name}`,
      );
    values[key] = reading.value;
  }
  return values as Values;
}

function toSignedText(
  { requestId, userId, time }: Omit<Values, "signature">,
  body: Uint8Array,
): Buffer {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return Buffer.from([requestId, userId, time, bodyHash].join("\n"), "latin1");
}

/** All customers of fal share the keys, so the user id must be the expected one. */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "Ed25519, hex, of request id, user id, time and the SHA-256 of the body, " +
    "by fal's own key, in the header x-fal-webhook-signature",
  window,
  takesSecret: false,
  proofHeaders: [names.signature],
  keyPair: { algorithm: "ed25519", isPublished: true },
  settings: [
    {
      name: "userId",
      label: "User ID",
      help: "Your user id at fal, as the header X-Fal-Webhook-User-Id of a delivery has it.",
      example: "google-oauth2|104862318235",
      pattern: /^[\x21-\x7e]{1,200}$/,
    },
  ],
  findSecretProblem: () => null,
  prepare:
    ({ settings, toleranceSeconds }) =>
    (request, nowMs, keys) => {
      const values = readValues(request);
      if ("reason" in values) return values as VerifyFailure;
      const signature =
        values.signature.length === 128 ? decodeCanonical(values.signature, "hex") : null;
      if (signature === null) return fail("signature_malformed", subject);
      if (values.userId !== settings.userId)
        return fail("claim_mismatch", `the header ${names.userId}`);
      const sentMs = parseTimestamp(values.time, "s");
      if (sentMs === null) return fail("timestamp_malformed", `the header ${names.time}`);
      const source = {
        format: "jwks",
        url: "https://rest.alpha.fal.ai/.well-known/jwks.json",
        keyId: null,
      } as const;
      const found = findKeys(source, keys, nowMs, subject);
      if (!isKeyList(found)) return found;
      const text = toSignedText(values, request.body);
      const isSigned = found.some(
        (key) => key.asymmetricKeyType === "ed25519" && verify(null, text, key, signature),
      );
      if (!isSigned) return fail("signature_mismatch", subject);
      return checkAge(sentMs, nowMs, window, toleranceSeconds, `the header ${names.time}`);
    },
  sign: ({ secret, settings, body, url, id, timestampMs }) => {
    const values = {
      requestId: id,
      userId: settings.userId ?? "",
      time: String(Math.floor(timestampMs / 1000)),
    };
    return {
      headers: {
        [names.requestId]: values.requestId,
        [names.userId]: values.userId,
        [names.time]: values.time,
        [names.signature]: sign(null, toSignedText(values, body), secret).toString("hex"),
      },
      body,
      url,
    };
  },
};

export const fal: Provider = {
  id: "fal",
  name: "fal.ai",
  scheme,
  eventId: [inHeader(names.requestId)],
  identity: {
    why: "One request has one result. Its id is signed, and stays the same on retries.",
    source: "https://docs.fal.ai/model-apis/model-endpoints/webhooks",
  },
  eventType: [inBody("status")],
  secretHelp: "None: fal publishes its keys. Fill in your user id instead.",
  whereToPaste:
    "Pass the catch URL as webhook_url (fal_webhook in the URL of the queue) when you submit a request.",
  docsUrl: "https://docs.fal.ai/model-apis/model-endpoints/webhooks",
  proof: { describedBy: "others" },
};
