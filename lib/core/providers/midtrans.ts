import { createHash, timingSafeEqual } from "node:crypto";
import { decodeMac } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { parseJsonObject } from "#lib/core/verify/scheme/request-view.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * The signed fields, in order. They are hashed without separators, so that characters could move from
 * one to the next: order-1 with 200 and 5000.00 has the hash of order-120 with 050 and 00.00. Only
 * values of the documented forms are accepted. One case is left: an order id that ends like a code and
 * an amount. order-12002 with 200 and 50.00 has the hash of order-1 with 200 and 220050.00.
 */
const signedFields = [
  { name: "order_id", form: /^[\w.~-]{1,50}$/ },
  { name: "status_code", form: /^(?:20[0-2]|300|[45]\d\d)$/ },
  { name: "gross_amount", form: /^[1-9]\d{0,15}(?:\.\d{1,2})?$/ },
] as const;

const subject = "the body field signature_key";

const scheme: CodeScheme = {
  kind: "code",
  proof:
    "SHA512, hex, of `{order_id}{status_code}{gross_amount}{secret}` in the body field signature_key. " +
    "The rest of the body isn't signed",
  bodyNotSigned: true,
  takesSecret: true,
  proofHeaders: [],
  findSecretProblem: () => null,
  prepare: ({ secrets }) =>
    secrets.length === 0 ? null : (request) => check(request.body, secrets),
  sign: ({ secret, body, url }) => {
    const fields = parseJsonObject(body) ?? {};
    const text = signedFields.map(({ name }) => String(fields[name])).join("");
    const signed = { ...fields, signature_key: digest(text, secret).toString("hex") };
    return { headers: {}, body: Buffer.from(JSON.stringify(signed)), url };
  },
};

function check(body: Uint8Array, secrets: readonly string[]) {
  const fields = parseJsonObject(body);
  const encoded = fields?.signature_key;
  if (typeof encoded !== "string") return fail("signature_missing", subject);
  const signature = decodeMac(encoded, "sha512", "hex");
  if (signature === null) return fail("signature_malformed", subject);
  let text = "";
  for (const { name, form } of signedFields) {
    const value = fields?.[name];
    if (value === undefined) return fail("value_missing", `the body field ${name}`);
    if (typeof value !== "string" || !form.test(value))
      return fail("value_malformed", `the body field ${name}`);
    text += value;
  }
  // All are compared, so that timing doesn't reveal which secret matched.
  const matches = secrets.map((secret) => timingSafeEqual(digest(text, secret), signature));
  return matches.includes(true) ? null : fail("signature_mismatch", subject);
}

function digest(text: string, secret: string): Buffer {
  return createHash("sha512").update(text).update(secret).digest();
}

/** Compared with https://docs.midtrans.com/docs/https-notification-webhooks on 2026-11-28. */
export const midtrans: Provider = {
  id: "midtrans",
  name: "Midtrans",
  scheme,
  eventId: [{ ...byContent, withinSeconds: 86_400 }],
  identity: {
    why: "An order and its transaction keep their ids through all statuses. Equal bodies are one event for a day.",
    source: "https://docs.midtrans.com/docs/https-notification-webhooks",
  },
  eventType: [inBody("transaction_status")],
  secretHelp: "The Server Key of the environment. Not the Client Key.",
  whereToPaste:
    "Dashboard → Settings → Configuration: paste the catch URL as Payment " +
    "Notification URL; Settings → Access Keys shows the Server Key.",
  docsUrl: "https://docs.midtrans.com/docs/https-notification-webhooks",
  proof: { describedBy: "provider" },
};
