import { sign, verify } from "node:crypto";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { toPublicKey } from "#lib/core/verify/scheme/public-key.ts";
import { parseJsonObject, readHeader } from "#lib/core/verify/scheme/request-view.ts";
import { challenge } from "./shapes/handshakes.ts";
import { inBody, inQuery } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "x-ebay-signature";

const subject = `the header ${header}`;

const keyRule = { algorithm: "ecdsa-p256-sha256", secret: { decode: "base64" } } as const;

/**
 * The header is base64 of JSON with the signature. eBay returns its key by id to anyone with an
 * application token, which lasts two hours, so the key is pasted instead of fetched.
 *
 * eBay signs compact JSON, and its own package verifies `JSON.stringify` of the parsed body. That
 * would accept bodies that eBay never signed: a second value of a key, `1e999` for null. So the
 * body may differ from what was signed only in white space between tokens.
 */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "ECDSA P-256 with SHA-1 of the body, where white space between tokens " +
    "may differ, inside the JSON of the header x-ebay-signature",
  takesSecret: true,
  proofHeaders: [header],
  keyPair: { algorithm: "ecdsa-p256-sha256", isPublished: false },
  findSecretProblem: (secret) =>
    toPublicKey(keyRule, secret) === null
      ? "This is not eBay's public key. Paste the key of getPublicKey, from -----BEGIN PUBLIC KEY----- to its end."
      : null,
  prepare: ({ secrets }) => {
    const keys = secrets.flatMap((secret) => toPublicKey(keyRule, secret) ?? []);
    if (keys.length === 0) return null;
    return ({ headers, body }) => {
      const reading = readHeader(headers, header);
      if (reading.found === "none") return fail("signature_missing", subject);
      if (reading.found === "many") return fail("header_repeated", subject);
      const json = reading.value.length > 2048 ? null : decodeCanonical(reading.value, "base64");
      const parts = json === null ? null : parseJsonObject(json);
      const encoded = parts?.signature;
      const signature = typeof encoded === "string" ? decodeCanonical(encoded, "base64") : null;
      // Fixed: the header's algorithm must match it, and decides nothing.
      if (signature === null || !isPinned(parts)) return fail("signature_malformed", subject);
      const fits = (text: Uint8Array) => keys.some((key) => verify("sha1", text, key, signature));
      if (fits(body)) return null;
      const isSigned = parseJsonObject(body) !== null && fits(removeSpace(body));
      return isSigned ? null : fail("signature_mismatch", subject);
    };
  },
  sign: ({ secret, body, url }) => {
    const signature = sign("sha1", body, secret).toString("base64");
    const parts = { alg: "ecdsa", kid: "sample", signature, digest: "SHA1" };
    return {
      headers: { [header]: Buffer.from(JSON.stringify(parts)).toString("base64") },
      body,
      url,
    };
  },
};

/** Valid JSON without white space between its tokens. Not parsed: its values stay as they are. */
function removeSpace(json: Uint8Array): Buffer {
  const compact = Buffer.alloc(json.length);
  let length = 0;
  let isInString = false;
  let isEscaped = false;
  for (const byte of json) {
    if (!isInString && isSpace(byte)) continue;
    if (byte === quote && !isEscaped) isInString = !isInString;
    isEscaped = isInString && byte === backslash && !isEscaped;
    compact[length] = byte;
    length += 1;
  }
  return compact.subarray(0, length);
}

const quote = 0x22;
const backslash = 0x5c;

/** RFC 8259, section 2. */
function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isPinned(parts: Readonly<Record<string, unknown>> | null): boolean {
  const { alg = "ecdsa", digest = "SHA1" } = parts ?? {};
  if (typeof alg !== "string" || typeof digest !== "string") return false;
  return alg.toLowerCase() === "ecdsa" && digest.toUpperCase() === "SHA1";
}

export const ebay: Provider = {
  id: "ebay",
  name: "eBay",
  scheme,
  eventId: [inBody("notification.notificationId")],
  identity: {
    why: "notificationId is that of the notification; publishAttemptCount beside it counts the tries.",
    source: "https://developer.ebay.com/cms/files/connect-2021/notificaions_shekhar.pdf",
  },
  eventType: [inBody("metadata.topic")],
  secretHelp:
    "eBay's public key as PEM: GET /commerce/notification/v1/public_key/{kid} with an " +
    "application token; the kid is in the header of a rejected delivery.",
  whereToPaste:
    "developer.ebay.com → Application Keys → Alerts and Notifications: paste the catch " +
    "URL as endpoint and enter the hook's verify token as verification token.",
  docsUrl: "https://developer.ebay.com/api-docs/commerce/notification/overview.html",
  proof: { describedBy: "others" },
  handshakes: [
    {
      name: "challenge code",
      methods: ["GET"],
      when: [inQuery("challenge_code")],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inQuery("challenge_code"),
        body: {
          type: "json",
          fields: {
            challengeResponse: [
              {
                digest: "sha256",
                encoding: "hex",
                of: [challenge, { value: "verifyToken" }, { value: "catchUrl" }],
              },
            ],
          },
        },
      },
    },
  ],
};
