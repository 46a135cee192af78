/**
 * Compact JWS (RFC 7515) and JWT claims (RFC 7519), strictly: the caller pins the algorithm (RFC
 * 8725, 3.1), `none` is not supported, and extensions (`crit`) are rejected.
 */
import { createHmac, type KeyObject, sign, timingSafeEqual, verify } from "node:crypto";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";

export type JwtAlgorithm =
  | "HS256"
  | "HS384"
  | "HS512"
  | "RS256"
  | "RS384"
  | "RS512"
  | "ES256"
  | "EdDSA";

export type Jwt = {
  readonly algorithm: JwtAlgorithm;
  readonly keyId: string | null;
  /** The certificates of the header, as sent. */
  readonly x5c: unknown;
  /** Untrusted until the signature is verified. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signedText: string;
  readonly signature: Buffer;
};

const maxHeaderToken = 16_384;

/** Null if it isn't a token with one of these algorithms, or is longer than `maxLength`. */
export function readJwt(
  token: string,
  algorithms: readonly JwtAlgorithm[],
  maxLength = maxHeaderToken,
): Jwt | null {
  if (token.length > maxLength) return null;
  const [head = "", body = "", tail = "", ...more] = token.split(".", 4);
  if (more.length > 0) return null;
  const header = parseObject(decodeCanonical(head, "base64url"));
  const claims = parseObject(decodeCanonical(body, "base64url"));
  const signature = decodeCanonical(tail, "base64url");
  if (header === null || claims === null || signature === null || Object.hasOwn(header, "crit"))
    return null;
  const algorithm = algorithms.find((known) => known === header.alg);
  const { kid, x5c } = header;
  if (
    algorithm === undefined ||
    (kid !== undefined && (typeof kid !== "string" || kid.length > 256))
  )
    return null;
  return { algorithm, keyId: kid ?? null, x5c, claims, signedText: `${head}.${body}`, signature };
}

/** False too if the key type doesn't match the algorithm: a public key is never an HMAC secret. */
export function isJwtSignedBy({ algorithm, signedText, signature }: Jwt, key: KeyObject): boolean {
  const text = Buffer.from(signedText, "latin1");
  if (!fitsAlgorithm(key, algorithm)) return false;
  switch (algorithm) {
    case "HS256":
    case "HS384":
    case "HS512": {
      const expected = createHmac(`sha${algorithm.slice(2)}`, key)
        .update(text)
        .digest();
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    }
    case "RS256":
    case "RS384":
    case "RS512":
      return verify(`sha${algorithm.slice(2)}`, text, key, signature);
    case "ES256":
      return (
        signature.length === 64 &&
        verify("sha256", text, { key, dsaEncoding: "ieee-p1363" }, signature)
      );
    case "EdDSA":
      return verify(null, text, key, signature);
    default:
      return algorithm satisfies never;
  }
}

/** True if a key matches the algorithm and is strong enough. */
export function fitsAlgorithm(key: KeyObject, algorithm: JwtAlgorithm): boolean {
  const { type, asymmetricKeyType, asymmetricKeyDetails } = key;
  switch (algorithm) {
    case "HS256":
    case "HS384":
    case "HS512":
      return type === "secret";
    case "RS256":
    case "RS384":
    case "RS512":
      return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
    case "ES256":
      return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1";
    case "EdDSA":
      return asymmetricKeyType === "ed25519";
    default:
      return algorithm satisfies never;
  }
}

export type TimeRule = {
  /** Required time claims. Optional ones are checked if present. */
  readonly required: readonly ("exp" | "iat" | "nbf")[];
  /** Maximum age of `iat`, in seconds. Undefined: only `exp` decides. */
  readonly maxAgeSeconds?: number;
  /** Allowed clock skew, in seconds. */
  readonly leewaySeconds: number;
};

/** Checks `exp`, `nbf`, and `iat` (RFC 7519, 4.1), in seconds, possibly fractional. */
export function checkTimes(
  claims: Jwt["claims"],
  { required, maxAgeSeconds, leewaySeconds }: TimeRule,
  nowMs: number,
): VerifyFailure | null {
  const nowSeconds = nowMs / 1000;
  for (const name of ["exp", "nbf", "iat"] as const) {
    const subject = `the claim ${name} of the token`;
    const value = claims[name];
    if (value === undefined) {
      if (required.includes(name)) return fail("timestamp_missing", subject);
      continue;
    }
    if (typeof value !== "number" || !(value > 0 && value < 1e11))
      return fail("timestamp_malformed", subject);
    const latest = latestOf(name, value, maxAgeSeconds) + leewaySeconds;
    const tooOld = nowSeconds - latest;
    if (!(tooOld <= 0)) return fail("timestamp_too_old", subject, Math.ceil(tooOld));
    const tooNew = name === "exp" ? 0 : value - leewaySeconds - nowSeconds;
    if (tooNew > 0) return fail("timestamp_in_future", subject, Math.ceil(tooNew));
  }
  return null;
}

function latestOf(
  name: "exp" | "nbf" | "iat",
  value: number,
  maxAgeSeconds: number | undefined,
): number {
  if (name === "exp") return value;
  return name === "iat" && maxAgeSeconds !== undefined
    ? value + maxAgeSeconds
    : Number.POSITIVE_INFINITY;
}

/** Signs a token for samples and tests. */
export function signJwt(
  algorithm: JwtAlgorithm,
  key: KeyObject,
  claims: Readonly<Record<string, unknown>>,
  keyId?: string,
  x5c?: readonly string[],
): string {
  const header = {
    alg: algorithm,
    typ: "JWT",
    ...(keyId === undefined ? {} : { kid: keyId }),
    ...(x5c === undefined ? {} : { x5c }),
  };
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${signText(algorithm, key, Buffer.from(text)).toString("base64url")}`;
}

function signText(algorithm: JwtAlgorithm, key: KeyObject, text: Buffer): Buffer {
  switch (algorithm) {
    case "RS256":
    case "RS384":
    case "RS512":
      return sign(`sha${algorithm.slice(2)}`, text, key);
    case "ES256":
      return sign("sha256", text, { key, dsaEncoding: "ieee-p1363" });
    case "EdDSA":
      return sign(null, text, key);
    default:
      return createHmac(`sha${algorithm.slice(2)}`, key)
        .update(text)
        .digest();
  }
}

function parseObject(bytes: Buffer | null): Record<string, unknown> | null {
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
