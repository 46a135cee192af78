import { sign, verify } from "node:crypto";
import { crc32 } from "node:zlib";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import { findKeys, isKeyList } from "#lib/core/verify/scheme/find-keys.ts";
import { readHeader, type VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const names = {
  id: "paypal-transmission-id",
  time: "paypal-transmission-time",
  signature: "paypal-transmission-sig",
  certificate: "paypal-cert-url",
  algorithm: "paypal-auth-algo",
} as const;

type Values = Readonly<Record<keyof typeof names, string>>;

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

/** Only the body's CRC-32 is signed, in decimal. */
function toSignedText(
  { id, time }: Pick<Values, "id" | "time">,
  webhookId: string,
  body: Uint8Array,
): Buffer {
  return Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`, "latin1");
}

/** PayPal documents no window, and retries for three days. */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "RSA-SHA256 of `{transmission id}|{time}|{webhook id}|{CRC-32 of the body}` by " +
    "a certificate of PayPal, in the header paypal-transmission-sig",
  takesSecret: false,
  proofHeaders: [names.signature],
  keyPair: { algorithm: "rsa-sha256", isPublished: true },
  settings: [
    {
      name: "webhookId",
      label: "Webhook ID",
      help: "The ID that PayPal gave the webhook; the dashboard shows it once the webhook is saved.",
      example: "8PT597110X687430LKGECATA",
      pattern: /^[A-Za-z0-9]{5,50}$/,
    },
  ],
  findSecretProblem: () => null,
  prepare:
    ({ settings }) =>
    (request, nowMs, keys) => {
      const values = readValues(request);
      if ("reason" in values) return values as VerifyFailure;
      const subject = `the header ${names.signature}`;
      if (values.algorithm !== "SHA256withRSA")
        return fail("header_unexpected", `the header ${names.algorithm}`);
      const signature =
        values.signature.length > 2048 ? null : decodeCanonical(values.signature, "base64");
      if (signature === null) return fail("signature_malformed", subject);
      const certificate = `the header ${names.certificate}`;
      const source = { format: "certificate", url: values.certificate, keyId: null } as const;
      const found = findKeys(source, keys, nowMs, certificate);
      if (!isKeyList(found)) return found;
      const text = toSignedText(values, settings.webhookId ?? "", request.body);
      const isSigned = found.some(
        (key) => key.asymmetricKeyType === "rsa" && verify("sha256", text, key, signature),
      );
      return isSigned ? { signed: text } : fail("signature_mismatch", subject);
    },
  sign: ({ secret, settings, body, url, id, timestampMs }) => {
    const time = new Date(timestampMs).toISOString();
    const text = toSignedText({ id, time }, settings.webhookId ?? "", body);
    return {
      headers: {
        [names.id]: id,
        [names.time]: time,
        [names.signature]: sign("sha256", text, secret).toString("base64"),
        [names.certificate]: "https://api.paypal.com/v1/notifications/certs/CERT-sample",
        [names.algorithm]: "SHA256withRSA",
      },
      body,
      url,
    };
  },
};

export const paypal: Provider = {
  id: "paypal",
  name: "PayPal",
  scheme,
  eventId: [inBody("id")],
  identity: {
    why: "The body's id is the event id, which stays the same on retries.",
    source: "https://developer.paypal.com/api/rest/webhooks/rest/",
  },
  replay: { isOn: true, why: "the transmission's id and time are signed" },
  eventType: [inBody("event_type")],
  secretHelp: "None: PayPal publishes its certificates. Fill in the webhook's ID instead.",
  whereToPaste:
    "developer.paypal.com → Apps & Credentials → your app → Webhooks → Add " +
    "Webhook: paste the catch URL, save, and copy the Webhook ID.",
  docsUrl: "https://developer.paypal.com/api/rest/webhooks/rest/",
  proof: { describedBy: "provider" },
  listing: { group: "used", place: 6 },
  marks: {
    userAgent: /^PayPal\//,
    body: [{ path: "id", is: /^WH-/, why: "its id starts with WH-" }],
  },
};
