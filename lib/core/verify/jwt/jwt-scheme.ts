/** Schemes with a JSON Web Token that contains a hash of the body. */
import { createHash, createPrivateKey, createPublicKey, hash } from "node:crypto";
import type {
  CodeCheck,
  CodeOptions,
  CodeScheme,
  CodeSignInput,
  KeyPair,
  ProviderSetting,
} from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import { findKeys, isKeyList } from "#lib/core/verify/scheme/find-keys.ts";
import {
  describeSource,
  RequestView,
  type VerifyRequest,
} from "#lib/core/verify/scheme/request-view.ts";
import type { KeySource } from "#lib/core/verify/scheme/signing-key.ts";
import type { SecretDecoding } from "#lib/schema/receive/value-source.ts";
import type { ValueSource } from "#lib/schema/receive/verification.ts";
import {
  checkTimes,
  fitsAlgorithm,
  isJwtSignedBy,
  type Jwt,
  type JwtAlgorithm,
  readJwt,
  signJwt,
  type TimeRule,
} from "./jwt.ts";
import { isShared, readKey, readSharedKey } from "./jwt-keys.ts";

type JwtRule = {
  readonly header: string;
  /** The place of the token, if it isn't only in that header. */
  readonly place?: ValueSource;
  /** The whole body is the token, so `header` is empty, and every byte is signed. */
  readonly isBody?: true;
  /** The token follows the word Bearer (RFC 6750). */
  readonly isBearer?: true;
  /** The token follows that word in some deliveries only. */
  readonly mayBeBearer?: true;
  /** A case-insensitive prefix before the token. */
  readonly prefix?: string;
  /** The decoding from a shared secret to the key. Default: its UTF-8. */
  readonly decode?: SecretDecoding;
  /** The pinned algorithms. The hook's key decides which one applies, never the token. */
  readonly algorithms: readonly JwtAlgorithm[];
  readonly times: TimeRule;
  readonly issuer?: readonly string[];
  /**
   * The claim with a hash of the body, SHA-256 by default. `ifAny`: may be missing if the body is
   * empty.
   */
  readonly bodyHash?: {
    readonly claim: string;
    readonly encoding: "hex" | "base64" | "base64url";
    readonly hash?: "sha256" | "sha384" | "sha512";
    readonly ifAny?: true;
  };
  /** The claim with the hexadecimal SHA-256 of the public URL. */
  readonly urlHash?: string;
  /** Other checks on the claims of a verified token. */
  readonly checkClaims?: (
    claims: Jwt["claims"],
    request: VerifyRequest,
    options: CodeOptions,
  ) => VerifyFailure | null;
  /** The place where the keys are published. Null: they were pasted. */
  readonly source?: (
    jwt: Jwt,
    options: CodeOptions,
    secret: string,
    request: VerifyRequest,
  ) => KeySource;
  readonly settings?: readonly ProviderSetting[];
  /** Claims that the provider adds. Samples have them too. */
  readonly sampleClaims?: (input: CodeSignInput) => Readonly<Record<string, unknown>>;
};

export function jwtScheme(proof: string, takesSecret: boolean, rule: JwtRule): CodeScheme {
  const { settings, bodyHash } = rule;
  const window = windowOf(rule.times);
  return {
    kind: "code",
    proof,
    ...(window === undefined ? {} : { window }),
    ...(bodyHash === undefined && rule.isBody !== true ? { bodyNotSigned: true } : {}),
    ...(settings === undefined ? {} : { settings }),
    takesSecret,
    proofHeaders: rule.header === "" ? [] : [rule.header],
    ...toKeyPair(rule),
    findSecretProblem: (secret) =>
      rule.source !== undefined || readKey(rule, secret) !== null
        ? null
        : `This is not a key for ${rule.algorithms.join(", ")}. Copy the complete key from the provider.`,
    prepare: (options) => prepareJwt(rule, options),
    sign: (input) => signSample(rule, input),
  };
}

function prepareJwt(rule: JwtRule, options: CodeOptions): CodeCheck | null {
  const subject = rule.isBody === true ? "the body" : describeSource(placeOf(rule));
  const pasted =
    rule.source === undefined
      ? options.secrets.flatMap((secret) => readKey(rule, secret) ?? [])
      : [];
  if (rule.source === undefined && pasted.length === 0) return null;

  return (request, nowMs, keys) => {
    const jwt = readToken(rule, request, subject);
    if ("reason" in jwt) return jwt;
    const found = rule.source === undefined ? pasted : findPublished(rule.source, jwt);
    if (!isKeyList(found)) return found;
    if (!found.some((key) => isJwtSignedBy(jwt, key))) return fail("signature_mismatch", subject);
    return checkVerified(rule, jwt, request, options, nowMs);

    function findPublished(source: NonNullable<JwtRule["source"]>, token: Jwt) {
      let first: ReturnType<typeof findKeys> | null = null;
      for (const secret of options.secrets.length === 0 ? [""] : options.secrets) {
        const one = findKeys(source(token, options, secret, request), keys, nowMs, subject);
        if (isKeyList(one)) return one;
        first ??= one;
      }
      return first ?? fail("key_unknown", subject);
    }
  };
}

function readToken(rule: JwtRule, request: VerifyRequest, subject: string): Jwt | VerifyFailure {
  if (rule.isBody === true) {
    const text = Buffer.from(request.body).toString("latin1");
    if (!text.includes(".")) return fail("signature_missing", subject);
    return readJwt(text, rule.algorithms, maxBodyToken) ?? fail("signature_malformed", subject);
  }
  const reading = new RequestView(request).read(placeOf(rule), null);
  if (reading.found === "none") return fail("signature_missing", subject);
  if (reading.found === "many") return fail("header_repeated", subject);
  const token = cutPrefix(rule, reading.value);
  const jwt = token === undefined ? null : readJwt(token, rule.algorithms);
  return jwt ?? fail("signature_malformed", subject);
}

/** The limit for a token that is the whole body, because it contains whole objects. */
const maxBodyToken = 1024 * 1024;

function placeOf({ header, place }: JwtRule): ValueSource {
  return place ?? { from: "header", name: header };
}

function cutPrefix(rule: JwtRule, value: string): string | undefined {
  const { isBearer, mayBeBearer, prefix = "" } = rule;
  if (isBearer === true) return /^bearer +([^ ]+)$/i.exec(value)?.[1];
  if (mayBeBearer === true) return /^(?:bearer +)?([^ ]+)$/i.exec(value)?.[1];
  const isThere = value.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
  return isThere ? value.slice(prefix.length) : undefined;
}

/** Runs after verification, when the claims can be trusted. */
function checkVerified(
  rule: JwtRule,
  { claims }: Jwt,
  request: VerifyRequest,
  options: CodeOptions,
  nowMs: number,
): VerifyFailure | null {
  const { times, issuer, bodyHash, urlHash, checkClaims } = rule;
  if (issuer !== undefined && !issuer.some((known) => known === claims.iss))
    return claimProblem(claims, "iss");
  const other = checkClaims?.(claims, request, options) ?? null;
  if (other !== null) return other;
  if (urlHash !== undefined) {
    const failure = checkHash(
      claims,
      { claim: urlHash, encoding: "hex" },
      Buffer.from(request.url, "utf8"),
    );
    if (failure !== null) return failure;
  }
  if (bodyHash !== undefined) {
    const mayMiss =
      bodyHash.ifAny === true && request.body.length === 0 && claims[bodyHash.claim] === undefined;
    const failure = mayMiss ? null : checkHash(claims, bodyHash, request.body);
    if (failure !== null) return failure;
  }
  const { toleranceSeconds } = options;
  if (toleranceSeconds === undefined) return checkTimes(claims, times, nowMs);
  // The hook's own tolerance replaces both sides.
  const maxAge = times.maxAgeSeconds === undefined ? {} : { maxAgeSeconds: 0 };
  return checkTimes(claims, { ...times, ...maxAge, leewaySeconds: toleranceSeconds }, nowMs);
}

/** The time around `iat` (or `exp`) in which a token is valid. Undefined if it may have neither. */
function windowOf({ required, maxAgeSeconds, leewaySeconds }: TimeRule): CodeScheme["window"] {
  if (maxAgeSeconds !== undefined)
    return { pastSeconds: maxAgeSeconds + leewaySeconds, futureSeconds: leewaySeconds };
  if (!required.includes("exp")) return undefined;
  return { pastSeconds: leewaySeconds, futureSeconds: leewaySeconds, from: "expiry" };
}

export function claimProblem(claims: Jwt["claims"], name: string): VerifyFailure {
  const subject = `the claim ${name} of the token`;
  return fail(claims[name] === undefined ? "claim_missing" : "claim_mismatch", subject);
}

function checkHash(
  claims: Jwt["claims"],
  { claim: name, encoding, hash: algorithm = "sha256" }: NonNullable<JwtRule["bodyHash"]>,
  bytes: Uint8Array,
): VerifyFailure | null {
  const value = claims[name];
  if (typeof value !== "string") return fail("claim_missing", `the claim ${name} of the token`);
  // Upstash pads its base64url.
  const digest = encoding === "base64url" ? value.replace(/=$/, "") : value;
  const isSame =
    decodeCanonical(digest, encoding)?.equals(hash(algorithm, bytes, "buffer")) === true;
  return isSame ? null : fail("body_mismatch", `the claim ${name} of the token`);
}

/**
 * The key pair of a provider that signs with a private key. The first algorithm decides for all.
 */
function toKeyPair({ algorithms, source }: JwtRule): { readonly keyPair?: KeyPair } {
  const [first] = algorithms;
  if (first === undefined || algorithms.some(isShared)) return {};
  const algorithm =
    first === "EdDSA" ? "ed25519" : first === "ES256" ? "ecdsa-p256-sha256" : "rsa-sha256";
  return { keyPair: { algorithm, isPublished: source !== undefined } };
}

function signSample(rule: JwtRule, input: CodeSignInput) {
  const { secret, body, url, timestampMs } = input;
  const isPrivate = secret.includes("PRIVATE KEY-----");
  const key = isPrivate ? createPrivateKey(secret) : readSharedKey(secret, rule.decode);
  if (key === null) throw new Error("the secret can't be decoded");
  const publicKey = isPrivate ? createPublicKey(key) : key;
  const algorithm = rule.algorithms.find((name) => fitsAlgorithm(publicKey, name));
  if (algorithm === undefined) throw new Error("the key type doesn't match the scheme");
  const seconds = Math.floor(timestampMs / 1000);
  const { bodyHash, urlHash, issuer } = rule;
  const claims = {
    ...(issuer === undefined ? {} : { iss: issuer[0] }),
    iat: seconds,
    ...(rule.times.required.includes("exp") ? { exp: seconds + 60 } : {}),
    ...(bodyHash === undefined
      ? {}
      : { [bodyHash.claim]: hash(bodyHash.hash ?? "sha256", body, bodyHash.encoding) }),
    ...(urlHash === undefined ? {} : { [urlHash]: createHash("sha256").update(url).digest("hex") }),
    ...rule.sampleClaims?.(input),
  };
  const token = signJwt(
    algorithm,
    key,
    claims,
    rule.source === undefined ? undefined : sampleKeyId,
  );
  if (rule.isBody === true)
    return { headers: { "content-type": "text/plain" }, body: Buffer.from(token), url };
  if (placeOf(rule).from !== "header")
    throw new Error("the token of this scheme is not in a header");
  const before = rule.isBearer === true ? "Bearer " : (rule.prefix ?? "");
  return { headers: { [rule.header]: before + token }, body, url };
}

/** The id of the key that signs samples of published-key schemes. */
export const sampleKeyId = "sample-key";
