/** Senders that prove themselves with a JSON Web Token which holds a hash of the body. */
import { createHash, createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import type { CodeCheck, CodeOptions, CodeScheme, CodeSignInput, ProviderSetting } from "./code-scheme.ts";
import { decodeCanonical } from "./encoding.ts";
import { fail, type VerifyFailure } from "./failure.ts";
import { findKeys, isKeyList } from "./find-keys.ts";
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
import { readHeader, type VerifyRequest } from "./request-view.ts";
import type { KeySource } from "./signing-key.ts";

export type JwtRule = {
  readonly header: string;
  /** The token follows the word Bearer (RFC 6750). */
  readonly isBearer?: true;
  /** Pinned. Which of them a hook takes is decided by its key, never by the token. */
  readonly algorithms: readonly JwtAlgorithm[];
  readonly times: TimeRule;
  readonly issuer?: readonly string[];
  /** The claim with a SHA-256 of the body. `ifAny`: it may be missing where there is no body. */
  readonly bodyHash?: { readonly claim: string; readonly encoding: "hex" | "base64"; readonly ifAny?: true };
  /** The claim with the hexadecimal SHA-256 of the public URL. */
  readonly urlHash?: string;
  /** What else the claims of a verified token have to say. */
  readonly checkClaims?: (
    claims: Jwt["claims"],
    request: VerifyRequest,
    options: CodeOptions,
  ) => VerifyFailure | null;
  /** Where the keys are; null: they were pasted. */
  readonly source?: (jwt: Jwt, options: CodeOptions, secret: string) => KeySource;
  readonly settings?: readonly ProviderSetting[];
  /** Claims that a sender would add, for samples. */
  readonly sampleClaims?: (input: CodeSignInput) => Readonly<Record<string, unknown>>;
};

export function jwtScheme(proof: string, takesSecret: boolean, rule: JwtRule): CodeScheme {
  const { settings, bodyHash } = rule;
  return {
    kind: "code",
    proof,
    ...(bodyHash === undefined ? { bodyNotSigned: true } : {}),
    ...(settings === undefined ? {} : { settings }),
    takesSecret,
    ...(rule.algorithms.some(isShared) ? {} : { hasKeyPair: true }),
    findSecretProblem: (secret) =>
      rule.source !== undefined || readKey(rule, secret) !== null
        ? null
        : `This is no key for ${rule.algorithms.join(", ")}. Copy the whole of it from the sender, to its last character.`,
    prepare: (options) => prepareJwt(rule, options),
    sign: (input) => signSample(rule, input),
  };
}

function prepareJwt(rule: JwtRule, options: CodeOptions): CodeCheck | null {
  const subject = `the header ${rule.header}`;
  const pasted =
    rule.source === undefined ? options.secrets.flatMap((secret) => readKey(rule, secret) ?? []) : [];
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
        const one = findKeys(source(token, options, secret), keys, nowMs, subject);
        if (isKeyList(one)) return one;
        first ??= one;
      }
      return first ?? fail("key_unknown", subject);
    }
  };
}

function readToken(rule: JwtRule, request: VerifyRequest, subject: string): Jwt | VerifyFailure {
  const reading = readHeader(request.headers, rule.header);
  if (reading.found === "none") return fail("signature_missing", subject);
  if (reading.found === "many") return fail("header_repeated", subject);
  const token = rule.isBearer === true ? /^bearer +([^ ]+)$/i.exec(reading.value)?.[1] : reading.value;
  const jwt = token === undefined ? null : readJwt(token, rule.algorithms);
  return jwt ?? fail("signature_malformed", subject);
}

/** Only now the claims are known to be the sender's. */
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
    const failure = checkHash(claims, urlHash, "hex", Buffer.from(request.url, "utf8"));
    if (failure !== null) return failure;
  }
  if (bodyHash !== undefined) {
    const { claim, encoding, ifAny } = bodyHash;
    const mayMiss = ifAny === true && request.body.length === 0 && claims[claim] === undefined;
    const failure = mayMiss ? null : checkHash(claims, claim, encoding, request.body);
    if (failure !== null) return failure;
  }
  const { toleranceSeconds } = options;
  if (toleranceSeconds === undefined || times.maxAgeSeconds === undefined)
    return checkTimes(claims, times, nowMs);
  return checkTimes(
    claims,
    { ...times, maxAgeSeconds: toleranceSeconds, leewaySeconds: toleranceSeconds },
    nowMs,
  );
}

export function claimProblem(claims: Jwt["claims"], name: string): VerifyFailure {
  const subject = `the claim ${name} of the token`;
  return fail(claims[name] === undefined ? "claim_missing" : "claim_mismatch", subject);
}

function checkHash(
  claims: Jwt["claims"],
  name: string,
  encoding: "hex" | "base64",
  bytes: Uint8Array,
): VerifyFailure | null {
  const value = claims[name];
  if (typeof value !== "string") return fail("claim_missing", `the claim ${name} of the token`);
  const isSame = value === createHash("sha256").update(bytes).digest(encoding);
  return isSame ? null : fail("body_mismatch", `the claim ${name} of the token`);
}

/**
 * A key is public where it looks like one and a shared secret otherwise, and only fits algorithms of its own kind: so a
 * public key, which anybody has, is never taken for the secret of an HMAC.
 */
function readKey({ algorithms }: JwtRule, pasted: string): KeyObject | null {
  const isPublic = pasted.includes("-----BEGIN") || !algorithms.some(isShared);
  const key = isPublic ? readPublicKey(pasted) : readSharedKey(pasted);
  return key !== null && algorithms.some((algorithm) => fitsAlgorithm(key, algorithm)) ? key : null;
}

function isShared(algorithm: JwtAlgorithm): boolean {
  return algorithm.startsWith("HS");
}

function readSharedKey(pasted: string): KeyObject | null {
  return pasted.trim() === "" ? null : createSecretKey(Buffer.from(pasted, "utf8"));
}

/** PEM, or base64 of it. A private key is refused: it must not be kept here. */
function readPublicKey(pasted: string): KeyObject | null {
  const decoded = pasted.includes("-----BEGIN") ? null : decodeCanonical(pasted.trim(), "base64");
  const text = decoded?.toString("utf8") ?? pasted;
  if (!text.includes("-----BEGIN PUBLIC KEY-----")) return null;
  try {
    return createPublicKey({ key: text.trim(), format: "pem" });
  } catch {
    // What was pasted is not a key; the caller says so.
    return null;
  }
}

function signSample(rule: JwtRule, input: CodeSignInput) {
  const { secret, body, url, timestampMs } = input;
  const isPrivate = secret.includes("PRIVATE KEY-----");
  const key = isPrivate ? createPrivateKey(secret) : createSecretKey(Buffer.from(secret, "utf8"));
  const publicKey = isPrivate ? createPublicKey(key) : key;
  const algorithm = rule.algorithms.find((name) => fitsAlgorithm(publicKey, name));
  if (algorithm === undefined) throw new Error("the key is of another kind than this scheme's");
  const seconds = Math.floor(timestampMs / 1000);
  const { bodyHash, urlHash, issuer } = rule;
  const claims = {
    ...(issuer === undefined ? {} : { iss: issuer[0] }),
    iat: seconds,
    ...(rule.times.required.includes("exp") ? { exp: seconds + 60 } : {}),
    ...(bodyHash === undefined
      ? {}
      : { [bodyHash.claim]: createHash("sha256").update(body).digest(bodyHash.encoding) }),
    ...(urlHash === undefined ? {} : { [urlHash]: createHash("sha256").update(url).digest("hex") }),
    ...rule.sampleClaims?.(input),
  };
  const token = signJwt(algorithm, key, claims, rule.source === undefined ? undefined : sampleKeyId);
  return { headers: { [rule.header]: rule.isBearer === true ? `Bearer ${token}` : token }, body, url };
}

/** Of the key that samples for published keys are signed with. */
export const sampleKeyId = "sample-key";
