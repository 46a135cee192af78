/** Parses the response of a key source. It is untrusted, like everything from outside. */
import { createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from "node:crypto";
import { toPublicKey } from "./public-key.ts";
import type { KeySource, SigningKey } from "./signing-key.ts";

/** An empty list: the source has no such key. Null: the response can't be used now. */
export function readSigningKeys(
  format: KeySource["format"],
  response: { readonly status: number; readonly body: Uint8Array },
): readonly SigningKey[] | null {
  const text = Buffer.from(response.body).toString("utf8");
  switch (format) {
    case "certificate":
      if (response.status === 404 || response.status === 403 || response.status === 410) return [];
      return response.status === 200 ? readCertificate(text) : null;
    case "jwks":
      return response.status === 200 ? readKeySet(text) : null;
    case "plaid":
      return readPlaidKey(response.status, text);
    case "travis":
      return response.status === 200 ? readTravisKey(text) : null;
    case "pinned":
      return null;
    default:
      return format satisfies never;
  }
}

/** The first of several certificates in a file is the signer's own. */
function readCertificate(text: string): readonly SigningKey[] | null {
  try {
    const certificate = new X509Certificate(text);
    const [validFromMs, validToMs] = [certificate.validFromDate, certificate.validToDate].map(
      Number,
    );
    if (validFromMs === undefined || validToMs === undefined) return null;
    return [{ id: null, key: certificate.publicKey, validFromMs, validToMs }];
  } catch {
    // Not a certificate, such as a proxy's error page. A later request may return one.
    return null;
  }
}

/** The Bot Framework has a key for each of its channels. */
const maxKeys = 200;

function readKeySet(text: string): readonly SigningKey[] | null {
  const parsed = parseObject(text);
  if (parsed === null || !Array.isArray(parsed.keys)) return null;
  return parsed.keys.slice(0, maxKeys).flatMap((jwk) => readJwk(jwk) ?? []);
}

function readPlaidKey(status: number, text: string): readonly SigningKey[] | null {
  const parsed = parseObject(text);
  if (parsed === null) return null;
  if (status === 400 && parsed.error_code === "INVALID_WEBHOOK_VERIFICATION_KEY_ID") return [];
  if (status !== 200) return null;
  const key = readJwk(parsed.key);
  return key === null ? null : [key];
}

/** https://docs.travis-ci.com/user/notifications/#verifying-webhook-requests */
function readTravisKey(text: string): readonly SigningKey[] | null {
  let value: unknown = parseObject(text);
  for (const name of ["config", "notifications", "webhook", "public_key"])
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  const key = typeof value === "string" ? toPublicKey(travisKey, value) : null;
  if (key === null) return null;
  const [validFromMs, validToMs] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [{ id: null, key, validFromMs, validToMs }];
}

const travisKey = { algorithm: "rsa-sha256", secret: { decode: "base64" } } as const;

/**
 * One JSON Web Key (RFC 7517); skipped if it isn't a supported public key. `expired_at` is Plaid's,
 * `endorsements` the Bot Framework's.
 */
function readJwk(jwk: unknown): SigningKey | null {
  if (typeof jwk !== "object" || jwk === null) return null;
  const { kid, use, endorsements, expired_at: expiredAt } = jwk as Record<string, unknown>;
  if (use !== undefined && use !== "sig") return null;
  const key = toKey(jwk as JsonWebKey);
  if (key === null) return null;
  const validToMs = typeof expiredAt === "number" ? expiredAt * 1000 : Number.POSITIVE_INFINITY;
  return {
    id: typeof kid === "string" ? kid : null,
    key,
    ...(Array.isArray(endorsements) && endorsements.length > 0
      ? { endorsements: endorsements.filter(isText) }
      : {}),
    validFromMs: Number.NEGATIVE_INFINITY,
    validToMs,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function toKey(jwk: JsonWebKey): KeyObject | null {
  try {
    // Private and symmetric keys don't belong here: only the public half of a private key is used.
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return null;
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
