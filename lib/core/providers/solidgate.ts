import { computeHmac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { readHeader } from "#lib/core/verify/scheme/request-view.ts";
import { inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const subject = "the header signature";

/** The public key of the webhook is signed before and after the body. */
function toSignedBytes(publicKey: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(publicKey, "latin1"), body, Buffer.from(publicKey, "latin1")]);
}

/** Base64 of the hexadecimal text, not of the bytes. */
function decodeSignature(text: string): Buffer | null {
  if (text.length > 172) return null;
  const hex = decodeCanonical(text, "base64")?.toString("latin1");
  const bytes = hex === undefined ? null : decodeCanonical(hex, "hex");
  return bytes?.length === 64 ? bytes : null;
}

const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA512, as base64 of hex, of `{merchant}{body}{merchant}` in the header signature, with the header merchant",
  takesSecret: true,
  proofHeaders: ["signature", "merchant"],
  findSecretProblem: () => null,
  prepare: withOneHeader("signature", (value, { keys, request: { headers, body } }) => {
    const merchant = readHeader(headers, "merchant");
    if (merchant.found === "none") return fail("header_missing", "the header merchant");
    if (merchant.found === "many") return fail("header_repeated", "the header merchant");
    const signature = decodeSignature(value);
    if (signature === null) return fail("signature_malformed", subject);
    const signed = toSignedBytes(merchant.value, body);
    return hasMac("sha512", keys, [signed], [signature])
      ? { signed }
      : fail("signature_mismatch", subject);
  }),
  sign: ({ secret, body, url }) => {
    const merchant = "wh_pk_sample";
    const hex = computeHmac("sha512", secret, toSignedBytes(merchant, body)).toString("hex");
    return {
      headers: { merchant, signature: Buffer.from(hex, "latin1").toString("base64") },
      body,
      url,
    };
  },
};

/**
 * Webhooks of API v1. Compared with `Api` of https://github.com/solidgate-tech/nodejs-sdk and
 * https://api-docs.solidgate.com/api/openapi/main/md/webhook-signatures on 2026-11-28. Those of API
 * v2 have another signature, and no header merchant.
 */
export const solidgate: Provider = {
  id: "solidgate",
  name: "Solidgate",
  scheme,
  eventId: [inHeader("solidgate-event-id")],
  identity: {
    why: "Each event has its own solidgate-event-id; the order keeps its id through all events.",
    source: null,
  },
  replay: { isOn: false, why: "no timestamp is signed, and equal bodies may be two events" },
  eventType: [inHeader("solidgate-event-type")],
  secretHelp: "The webhook secret key (wh_sk_…) of API v1. Not the API secret key (api_sk_…).",
  whereToPaste:
    "Hub → Developers → Webhooks → Create: paste the catch URL; " +
    "Developers → Channel details shows the webhook secret key.",
  docsUrl: "https://docs.solidgate.com/payments/integrate/access-to-api/",
  secretStartsWith: "wh_sk_",
  proof: { describedBy: "provider" },
};
