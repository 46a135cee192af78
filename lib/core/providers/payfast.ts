import { createHash, timingSafeEqual } from "node:crypto";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const subject = "the form field signature";

type Fields = readonly (readonly [name: string, value: string])[];

/**
 * The form up to the signature, which must be its last field: what follows isn't signed. Null if a
 * name could be taken for several fields, since names are signed as they are.
 */
function readSigned(
  body: Uint8Array,
): { readonly fields: Fields; readonly signature: string } | null {
  const form = parseForm(Buffer.from(body).toString("utf8"));
  if (form === null) return null;
  const fields = [...form];
  const last = fields.pop();
  if (last?.[0] !== "signature" || last[1] === "") return null;
  const isPlain = fields.every(([name]) => /^\w{1,64}$/.test(name) && name !== "signature");
  return isPlain ? { fields, signature: last[1] } : null;
}

/** PHP's `urlencode`, which differs from a form only in the asterisk. */
function encodeValue(value: string): string {
  return new URLSearchParams({ "": value }).toString().slice(1).replaceAll("*", "%2A");
}

/** Without a passphrase nothing in it is secret: PayFast makes it optional, but a hook doesn't. */
export function hashPayfastForm(fields: Fields, passphrase: string): Buffer {
  const secret = passphrase === "" ? [] : [["passphrase", passphrase] as const];
  const text = [...fields, ...secret].map(([name, value]) => `${name}=${encodeValue(value)}`);
  return createHash("md5").update(text.join("&")).digest();
}

const scheme: CodeScheme = {
  kind: "code",
  proof: "MD5, hex, of `{form}` and the passphrase, in the form field signature",
  takesSecret: true,
  proofHeaders: [],
  findSecretProblem: () => null,
  prepare:
    ({ secrets }) =>
    ({ body }) => {
      const signed = readSigned(body);
      if (signed === null) return fail("signature_missing", subject);
      const signature =
        signed.signature.length === 32 ? decodeCanonical(signed.signature, "hex") : null;
      if (signature === null) return fail("signature_malformed", subject);
      // Compares with all secrets, so that timing doesn't reveal which one matched.
      const matches = secrets.filter((secret) =>
        timingSafeEqual(hashPayfastForm(signed.fields, secret), signature),
      );
      return matches.length > 0 ? null : fail("signature_mismatch", subject);
    },
  sign: ({ secret, body, url }) => {
    const fields = [...new URLSearchParams(Buffer.from(body).toString("utf8"))];
    const signature = hashPayfastForm(fields, secret).toString("hex");
    const form = new URLSearchParams([...fields, ["signature", signature]]);
    return {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(form.toString()),
      url,
    };
  },
};

/**
 * Compared with `Notification` of https://github.com/Payfast/payfast-php-sdk on 2026-11-28, which
 * strips backslashes from values before it hashes them. PayFast doesn't say whether it signs them.
 * Here, values are hashed as they were sent.
 */
export const payfast: Provider = {
  id: "payfast",
  name: "PayFast",
  scheme,
  eventId: [
    allOf(inBody("pf_payment_id"), inBody("payment_status")),
    { ...byContent, withinSeconds: 86_400 },
  ],
  identity: {
    why:
      "A payment has one pf_payment_id in all its states, so payment_status " +
      "counts too; a subscription's next payment has another id.",
    source: "https://github.com/Payfast/drupalcommerce-aggregation/pull/16",
  },
  eventType: [inBody("payment_status")],
  secretHelp:
    "The Salt Passphrase that you typed in your PayFast account. Not the merchant key. Without one, anyone could sign.",
  isSecretChosen: true,
  whereToPaste:
    "Pass the catch URL as notify_url with each payment, or set it under " +
    "Settings → Integration, where the passphrase is too.",
  docsUrl: "https://developers.payfast.co.za/docs#step_4_confirm_payment",
  proof: { describedBy: "provider" },
};
