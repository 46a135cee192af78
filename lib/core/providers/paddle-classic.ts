import { sign, verify } from "node:crypto";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { toPublicKey } from "#lib/core/verify/scheme/public-key.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const field = "p_signature";
const subject = `the form field ${field}`;

const keyRule = { algorithm: "rsa-sha256", secret: { decode: "base64" } } as const;

/** No time is signed: de-duplication by the alert's id stops replays. */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "RSA-SHA1, base64, of `{form}` as PHP serializes it, sorted by name, in the form field p_signature",
  takesSecret: true,
  proofHeaders: [],
  keyPair: { algorithm: "rsa-sha256", isPublished: false },
  findSecretProblem: (secret) =>
    toPublicKey(keyRule, secret) === null
      ? "This is no RSA public key. Copy the whole of it from Paddle, with its first and its last line."
      : null,
  prepare: ({ secrets }) => {
    const keys = secrets.flatMap((secret) => toPublicKey(keyRule, secret) ?? []);
    if (keys.length === 0) return null;
    return ({ body }) => {
      const form = parseForm(Buffer.from(body).toString("utf8"));
      const [encoded, ...others] = form?.getAll(field) ?? [];
      if (form === null || encoded === undefined || encoded === "")
        return fail("signature_missing", subject);
      if (others.length > 0 || new Set(form.keys()).size < form.size)
        return fail("header_repeated", others.length > 0 ? subject : "a form field");
      const signature = encoded.length > 2048 ? null : decodeCanonical(encoded, "base64");
      if (signature === null) return fail("signature_malformed", subject);
      const signed = Buffer.from(serialize(form));
      const isSigned = keys.some((key) => verify("sha1", signed, key, signature));
      return isSigned ? null : fail("signature_mismatch", subject);
    };
  },
  sign: ({ secret, body, url }) => {
    const form = new URLSearchParams(Buffer.from(body).toString("utf8"));
    form.set(field, sign("sha1", Buffer.from(serialize(form)), secret).toString("base64"));
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return { headers, body: Buffer.from(form.toString()), url };
  },
};

/**
 * An array of texts as PHP's `serialize` writes it, with lengths in bytes. PHP keeps the last value
 * of a repeated name, so the others wouldn't be signed: such a form is rejected.
 */
function serialize(form: URLSearchParams): string {
  const fields = new Map([...form].filter(([name]) => name !== field));
  const pairs = [...fields].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = (value: string) => `s:${Buffer.byteLength(value)}:"${value}";`;
  return `a:${pairs.length}:{${pairs.map(([name, value]) => text(name) + text(value)).join("")}}`;
}

export const paddleClassic: Provider = {
  id: "paddle-classic",
  name: "Paddle Classic",
  scheme,
  eventId: [inBody("alert_id")],
  identity: {
    why: "Each alert has an alert_id of its own, which stays the same on retries.",
    source:
      "https://classic.paddle.com/webhook-reference/subscription-alerts/subscription-payment-succeeded/",
  },
  eventType: [inBody("alert_name")],
  secretHelp:
    "Paddle's public key for your account, with its first and its last line. Not an API key.",
  whereToPaste:
    "Developer Tools → Alerts / Webhooks: paste the catch URL as URL for " +
    "receiving webhook alerts; Developer Tools → Public Key shows the key.",
  docsUrl: "https://classic.paddle.com/webhooks/verifying-webhooks/",
  proof: { examples: 1, describedBy: "provider" },
  marks: {
    body: [{ path: "p_signature", is: /./, why: "its form has a p_signature" }],
  },
};
