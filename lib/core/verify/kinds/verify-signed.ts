/**
 * The common part of MACs and public keys: reads the signed text, verifies it, and then checks the
 * timestamp.
 */
import { hash } from "node:crypto";
import { hashBody } from "#lib/core/verify/scheme/body-hash.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import {
  fail,
  type VerifyFailure,
  type VerifyFailureReason,
} from "#lib/core/verify/scheme/failure.ts";
import {
  describeSource,
  type Parts,
  RequestView,
  readHeader,
  type VerifyRequest,
} from "#lib/core/verify/scheme/request-view.ts";
import type { Compiled, SigningScheme } from "#lib/core/verify/scheme/scheme.ts";
import { type Extracted, extractSignatures } from "#lib/core/verify/scheme/signatures.ts";
import { readTarget } from "#lib/core/verify/scheme/signed-url.ts";
import { checkAge, parseTimestamp } from "#lib/core/verify/scheme/timestamp.ts";
import { unpackSigned } from "#lib/core/verify/scheme/unpack-signed.ts";
import type { ValueSource } from "#lib/schema/receive/verification.ts";
import type { Piece, Pieces } from "./mac.ts";

/** Maximum length of a signature in characters: RSA-8192 in hex. */
const maxSignatureLength = 2048;

/** True if any signature matches the signed text and any key. */
export type Matcher = (pieces: Pieces, signatures: readonly Buffer[]) => boolean;

/** The signed text if a signature matches and the timestamp is valid. */
export function checkSigned(
  compiled: Compiled,
  matches: Matcher,
  request: VerifyRequest,
  nowMs: number,
  toleranceSeconds: number | undefined,
): Filling | VerifyFailure {
  const { scheme } = compiled;
  const view = new RequestView(chooseHeaders(compiled, request));
  const header = checkRequiredHeaders(scheme, view);
  if (header !== null) return header;
  const body = scheme.signed.gunzip === true ? unpackSigned(request.body) : request.body;
  if (body === null) return fail("body_malformed", "The body");

  const groups = extract(compiled, view);
  if ("reason" in groups) return groups;
  let failure: VerifyFailure | null = null;
  for (const { signatures, parts } of groups) {
    const filled = fill(compiled, view, body, parts);
    if ("reason" in filled) {
      failure ??= filled;
      continue;
    }
    if (!matches(filled.pieces, signatures)) {
      failure ??= fail("signature_mismatch", describeSignature(scheme));
      continue;
    }
    const digest = scheme.bodyDigest === undefined ? null : checkDigest(scheme.bodyDigest, view);
    if (digest !== null) return digest;
    // A timestamp in the body is read only now: bodies are not parsed before they are verified.
    return checkWindow(scheme, view, parts, filled.sentMs, nowMs, toleranceSeconds) ?? filled;
  }
  return failure ?? fail("signature_malformed", describeSignature(scheme));
}

function checkRequiredHeaders(scheme: SigningScheme, view: RequestView): VerifyFailure | null {
  if (scheme.requiredHeaders === undefined) return null;
  for (const { name, value } of scheme.requiredHeaders) {
    const reading = readHeader(view.request.headers, name);
    if (reading.found === "none") return fail("header_missing", `the header ${name}`);
    if (reading.found === "many") return fail("header_repeated", `the header ${name}`);
    if (value !== undefined && reading.value !== value)
      return fail("header_unexpected", `the header ${name}`);
  }
  return null;
}

type Group = { readonly signatures: readonly Buffer[]; readonly parts: Parts };

/**
 * Well-formed signatures with their values: one group, or several if each signature has its own
 * timestamp. Malformed signatures are skipped.
 */
function extract(compiled: Compiled, view: RequestView): readonly Group[] | VerifyFailure {
  const { sources, format } = compiled.scheme.signature;
  const extracted: Extracted[] = [];
  let isPresent = false;
  for (const source of sources) {
    const reading = view.read(source, null);
    if (reading.found === "many") return fail("header_repeated", describeSource(source));
    if (reading.found === "none") continue;
    isPresent = true;
    if (!extractSignatures(reading.value, format, compiled.partKeys, extracted)) {
      return fail("too_many_signatures", describeSource(source));
    }
  }
  if (!isPresent) return fail("signature_missing", describeSignature(compiled.scheme));

  const groups = extracted.flatMap(({ candidates, parts }) => {
    const signatures = candidates.flatMap(
      (candidate) => decodeSignature(compiled, candidate) ?? [],
    );
    return signatures.length === 0 ? [] : [{ signatures, parts }];
  });
  return groups.length === 0
    ? fail("signature_malformed", describeSignature(compiled.scheme))
    : groups;
}

/** Checks the length before decoding, so that a large header costs nothing. */
function decodeSignature({ scheme, signatureBytes }: Compiled, candidate: string): Buffer | null {
  if (candidate.length > maxSignatureLength) return null;
  if (signatureBytes === null) return decodeCanonical(candidate, scheme.encoding);
  if (candidate.length !== encodedLength(scheme, signatureBytes)) return null;
  const bytes = decodeCanonical(candidate, scheme.encoding);
  return bytes?.length === signatureBytes ? bytes : null;
}

function encodedLength({ encoding }: SigningScheme, bytes: number): number {
  if (encoding === "hex") return bytes * 2;
  return encoding === "base64" ? Math.ceil(bytes / 3) * 4 : Math.ceil((bytes * 4) / 3);
}

type Filling = { readonly pieces: Pieces; readonly sentMs: number | null };

/** Reads every variable of the signed text, verbatim. */
function fill(
  compiled: Compiled,
  view: RequestView,
  body: Uint8Array,
  parts: Parts,
): Filling | VerifyFailure {
  const { scheme } = compiled;
  const { request } = view;
  const pieces = new Map<string, Piece>([["body", body]]);
  let sentMs: number | null = null;

  for (const segment of compiled.segments) {
    if ("text" in segment || pieces.has(segment.variable)) continue;
    const { variable } = segment;
    if (variable === "secret") continue;
    const ofTarget = readTarget(variable, request);
    if (ofTarget !== null) {
      pieces.set(variable, { utf8: ofTarget });
      continue;
    }
    const bodyHash = hashBody(variable, body);
    if (bodyHash !== null) {
      pieces.set(variable, { latin1: bodyHash });
      continue;
    }
    if (variable === "form") {
      const form = view.readSortedForm();
      if (form === null) return fail("value_missing", "the form");
      pieces.set(variable, { utf8: form });
      continue;
    }
    const isTimestamp = variable === "timestamp";
    const source = findSource(scheme, variable);
    if (source === undefined) return fail("unknown_scheme", null);

    const reading = view.read(source, parts);
    if (reading.found === "many") return fail("header_repeated", describeSource(source));
    if (reading.found === "none") return fail(missingReason(variable), describeSource(source));
    if (variable === "id" && !isSafeId(reading.value))
      return fail("id_malformed", describeSource(source));
    if (isTimestamp && scheme.timestamp !== undefined) {
      sentMs = parseTimestamp(reading.value, scheme.timestamp.unit);
      if (sentMs === null) return fail("timestamp_malformed", describeSource(source));
    }
    const isFromHeader = source.from === "header" || source.from === "part";
    pieces.set(variable, isFromHeader ? { latin1: reading.value } : { utf8: reading.value });
  }
  return { pieces, sentMs };
}

/** The source of a variable of the signed text. Undefined for built-in variables. */
export function findSource(scheme: SigningScheme, variable: string): ValueSource | undefined {
  if (variable === "timestamp") return scheme.timestamp?.source;
  if (variable === "digest" && scheme.bodyDigest !== undefined)
    return { from: "header", name: scheme.bodyDigest.header };
  return scheme.signed.values?.[variable];
}

/**
 * Headers under the names of the scheme. All must be of the same family. Otherwise, an attacker
 * could mix families to give a signed message another id.
 */
function chooseHeaders(
  { scheme: { headerAlias }, headerNames }: Compiled,
  request: VerifyRequest,
): VerifyRequest {
  if (headerAlias === undefined || headerNames.some((name) => request.headers[name] !== undefined))
    return request;
  const { prefix, alias } = headerAlias;
  const renamed = headerNames.flatMap((name) => {
    const values = name.startsWith(prefix)
      ? request.headers[alias + name.slice(prefix.length)]
      : undefined;
    return values === undefined ? [] : [[name, values] as const];
  });
  if (renamed.length === 0) return request;
  return { ...request, headers: Object.assign(Object.create(null), Object.fromEntries(renamed)) };
}

/** The header was signed. Checks that the body matches it. */
function checkDigest(
  {
    header,
    hash: algorithm,
    encoding,
    prefix = "",
    suffix = "",
  }: NonNullable<SigningScheme["bodyDigest"]>,
  { request }: RequestView,
): VerifyFailure | null {
  const subject = `the header ${header}`;
  const reading = readHeader(request.headers, header);
  if (reading.found !== "one") return fail("value_missing", subject);
  const expected = hash(algorithm, request.body, "buffer");
  const isRight = reading.value.split(",", 10).some((item) => {
    const text = item.trim();
    const encoded = text.slice(prefix.length, text.length - suffix.length);
    if (text.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return false;
    return text.endsWith(suffix) && decodeCanonical(encoded, encoding)?.equals(expected) === true;
  });
  return isRight ? null : fail("body_mismatch", subject);
}

function missingReason(variable: string): VerifyFailureReason {
  if (variable === "timestamp") return "timestamp_missing";
  return variable === "id" ? "id_missing" : "value_missing";
}

/** A dot or line break would make `{id}.{timestamp}.{body}` ambiguous. */
function isSafeId(id: string): boolean {
  return /^[\x21-\x2d\x2f-\x7e]{1,512}$/.test(id);
}

function checkWindow(
  scheme: SigningScheme,
  view: RequestView,
  parts: Parts,
  signedMs: number | null,
  nowMs: number,
  toleranceSeconds: number | undefined,
): VerifyFailure | null {
  if (scheme.timestamp === undefined) return null;
  const { source, unit } = scheme.timestamp;
  let sentMs = signedMs;
  if (sentMs === null) {
    const reading = view.read(source, parts);
    if (reading.found === "many") return fail("header_repeated", describeSource(source));
    if (reading.found === "none") return fail("timestamp_missing", describeSource(source));
    sentMs = parseTimestamp(reading.value, unit);
    if (sentMs === null) return fail("timestamp_malformed", describeSource(source));
  }

  return checkAge(sentMs, nowMs, scheme.timestamp, toleranceSeconds, describeSource(source));
}

function describeSignature({ signature }: SigningScheme): string {
  return signature.sources.map(describeSource).join(" or ");
}
