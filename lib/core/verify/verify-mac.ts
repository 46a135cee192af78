/** Runs a MAC scheme over a request: read what is signed, compute, compare, and only then look at the clock. */
import { timingSafeEqual } from "node:crypto";
import { decodeCanonical } from "./encoding.ts";
import type { VerifyFailure, VerifyFailureReason } from "./failure.ts";
import { computeMac, type Piece } from "./mac.ts";
import { describeSource, type Parts, RequestView, readHeader, type VerifyRequest } from "./request-view.ts";
import type { CompiledMac, MacScheme } from "./scheme.ts";
import { decodeMacSecret, type MacKey, toMacKey } from "./secret.ts";
import { type Extracted, extractSignatures } from "./signatures.ts";
import { parseTimestamp } from "./timestamp.ts";

/** Null when no secret is usable. The check gives null when a signature fits a secret and the time is in the window. */
export function prepareMac(
  compiled: CompiledMac,
  secrets: readonly string[],
  toleranceSeconds: number | undefined,
): ((request: VerifyRequest, nowMs: number) => VerifyFailure | null) | null {
  const keys = secrets.flatMap((secret) => {
    const bytes = decodeMacSecret(compiled.scheme, secret);
    return bytes === null ? [] : [toMacKey(bytes)];
  });
  if (keys.length === 0) return null;
  return (request, nowMs) => checkMac(compiled, keys, new RequestView(request), nowMs, toleranceSeconds);
}

function checkMac(
  compiled: CompiledMac,
  keys: readonly MacKey[],
  view: RequestView,
  nowMs: number,
  toleranceSeconds: number | undefined,
): VerifyFailure | null {
  const { scheme } = compiled;
  const header = checkRequiredHeaders(scheme, view);
  if (header !== null) return header;

  const extracted = extract(compiled, view);
  if ("reason" in extracted) return extracted;
  const filled = fill(compiled, view, extracted.parts);
  if ("reason" in filled) return filled;

  if (!matchesAny(compiled, keys, filled.pieces, extracted.digests)) {
    return fail("signature_mismatch", describeSignature(scheme));
  }
  // A time inside the body is read only now: nothing of a body is parsed before it is known to be the sender's.
  return checkWindow(scheme, view, extracted.parts, filled.sentMs, nowMs, toleranceSeconds);
}

function checkRequiredHeaders(scheme: MacScheme, view: RequestView): VerifyFailure | null {
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

type Signatures = { readonly digests: readonly Buffer[]; readonly parts: Parts };

/** Signatures that are well-formed, of the right length. One that isn't never matches and does not spoil the others. */
function extract(compiled: CompiledMac, view: RequestView): Signatures | VerifyFailure {
  const { sources, format } = compiled.scheme.signature;
  const into: Extracted = { candidates: [], parts: new Map() };
  let isPresent = false;
  for (const source of sources) {
    const reading = view.read(source, null);
    if (reading.found === "many") return fail("header_repeated", describeSource(source));
    if (reading.found === "none") continue;
    isPresent = true;
    if (!extractSignatures(reading.value, format, compiled.partKeys, into)) {
      return fail("too_many_signatures", describeSource(source));
    }
  }
  if (!isPresent) return fail("signature_missing", describeSignature(compiled.scheme));

  const textLength = encodedLength(compiled);
  const digests: Buffer[] = [];
  for (const candidate of into.candidates) {
    if (candidate.length !== textLength) continue;
    const digest = decodeCanonical(candidate, compiled.scheme.encoding);
    if (digest !== null && digest.length === compiled.digestBytes) digests.push(digest);
  }
  if (digests.length === 0) return fail("signature_malformed", describeSignature(compiled.scheme));
  return { digests, parts: into.parts };
}

/** Checked before decoding, so that a header of a megabyte costs nothing. */
function encodedLength({ scheme, digestBytes }: CompiledMac): number {
  if (scheme.encoding === "hex") return digestBytes * 2;
  return scheme.encoding === "base64" ? Math.ceil(digestBytes / 3) * 4 : Math.ceil((digestBytes * 4) / 3);
}

type Filling = { readonly pieces: Map<string, Piece>; readonly sentMs: number | null };

/** Reads every variable of the signed text, verbatim. */
function fill(compiled: CompiledMac, view: RequestView, parts: Parts): Filling | VerifyFailure {
  const { scheme } = compiled;
  const { request } = view;
  const pieces = new Map<string, Piece>([["body", request.body]]);
  let sentMs: number | null = null;

  for (const segment of compiled.segments) {
    if ("text" in segment || pieces.has(segment.variable)) continue;
    const { variable } = segment;
    if (variable === "secret") continue;
    if (variable === "url" || variable === "method") {
      pieces.set(variable, { utf8: request[variable] });
      continue;
    }
    const isTimestamp = variable === "timestamp";
    const source = isTimestamp ? scheme.timestamp?.source : scheme.signed.values?.[variable];
    if (source === undefined) return fail("unknown_scheme", null);

    const reading = view.read(source, parts);
    if (reading.found === "many") return fail("header_repeated", describeSource(source));
    if (reading.found === "none") return fail(missingReason(variable), describeSource(source));
    if (variable === "id" && !isSafeId(reading.value)) return fail("id_malformed", describeSource(source));
    if (isTimestamp && scheme.timestamp !== undefined) {
      sentMs = parseTimestamp(reading.value, scheme.timestamp.unit);
      if (sentMs === null) return fail("timestamp_malformed", describeSource(source));
    }
    const isFromHeader = source.from === "header" || source.from === "part";
    pieces.set(variable, isFromHeader ? { latin1: reading.value } : { utf8: reading.value });
  }
  return { pieces, sentMs };
}

function missingReason(variable: string): VerifyFailureReason {
  if (variable === "timestamp") return "timestamp_missing";
  return variable === "id" ? "id_missing" : "value_missing";
}

/** With a dot or a line break in it, `{id}.{timestamp}.{body}` could be cut in two ways. */
function isSafeId(id: string): boolean {
  return /^[\x21-\x2d\x2f-\x7e]{1,512}$/.test(id);
}

/** All pairs are compared, so the time does not tell which secret or which signature fitted. */
function matchesAny(
  compiled: CompiledMac,
  keys: readonly MacKey[],
  pieces: ReadonlyMap<string, Piece>,
  digests: readonly Buffer[],
): boolean {
  let isMatch = false;
  for (const key of keys) {
    const expected = computeMac(compiled, key, pieces);
    for (const digest of digests) {
      if (digest.length === expected.length && timingSafeEqual(digest, expected)) isMatch = true;
    }
  }
  return isMatch;
}

function checkWindow(
  scheme: MacScheme,
  view: RequestView,
  parts: Parts,
  signedMs: number | null,
  nowMs: number,
  toleranceSeconds: number | undefined,
): VerifyFailure | null {
  if (scheme.timestamp === undefined) return null;
  const { source, unit, pastSeconds, futureSeconds } = scheme.timestamp;
  let sentMs = signedMs;
  if (sentMs === null) {
    const reading = view.read(source, parts);
    if (reading.found === "many") return fail("header_repeated", describeSource(source));
    if (reading.found === "none") return fail("timestamp_missing", describeSource(source));
    sentMs = parseTimestamp(reading.value, unit);
    if (sentMs === null) return fail("timestamp_malformed", describeSource(source));
  }

  const tooOldMs = nowMs - sentMs - (toleranceSeconds ?? pastSeconds) * 1000;
  const tooNewMs = sentMs - nowMs - (toleranceSeconds ?? futureSeconds) * 1000;
  if (tooOldMs > 0) return fail("timestamp_too_old", describeSource(source), Math.ceil(tooOldMs / 1000));
  if (tooNewMs > 0) return fail("timestamp_in_future", describeSource(source), Math.ceil(tooNewMs / 1000));
  // A clock that is not a number must not pass for "in the window".
  return Number.isFinite(tooOldMs) ? null : fail("timestamp_too_old", describeSource(source));
}

function describeSignature({ signature }: MacScheme): string {
  return signature.sources.map(describeSource).join(" or ");
}

function fail(
  reason: VerifyFailureReason,
  subject: string | null,
  skewSeconds: number | null = null,
): VerifyFailure {
  return { reason, subject, skewSeconds };
}
