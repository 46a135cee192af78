/** What MACs and public keys share: read what is signed, let it be compared, and only then look at the clock. */
import { decodeCanonical } from "./encoding.ts";
import { fail, type VerifyFailure, type VerifyFailureReason } from "./failure.ts";
import type { Piece, Pieces } from "./mac.ts";
import { describeSource, type Parts, RequestView, readHeader, type VerifyRequest } from "./request-view.ts";
import type { Compiled, SigningScheme } from "./scheme.ts";
import { type Extracted, extractSignatures } from "./signatures.ts";
import { checkAge, parseTimestamp } from "./timestamp.ts";

/** No signature is longer, in characters: RSA of 8192 bits in hex. */
const maxSignatureLength = 2048;

/** Whether one of the signatures fits the signed text and one of the keys. */
export type Matcher = (pieces: Pieces, signatures: readonly Buffer[]) => boolean;

/** Null when a signature fits and the time is in the window. */
export function checkSigned(
  compiled: Compiled,
  matches: Matcher,
  request: VerifyRequest,
  nowMs: number,
  toleranceSeconds: number | undefined,
): VerifyFailure | null {
  const { scheme } = compiled;
  const view = new RequestView(request);
  const header = checkRequiredHeaders(scheme, view);
  if (header !== null) return header;

  const groups = extract(compiled, view);
  if ("reason" in groups) return groups;
  let failure: VerifyFailure | null = null;
  for (const { signatures, parts } of groups) {
    const filled = fill(compiled, view, parts);
    if ("reason" in filled) {
      failure ??= filled;
      continue;
    }
    if (!matches(filled.pieces, signatures)) {
      failure ??= fail("signature_mismatch", describeSignature(scheme));
      continue;
    }
    // A time inside the body is read only now: nothing of a body is parsed before it is known to be the sender's.
    return checkWindow(scheme, view, parts, filled.sentMs, nowMs, toleranceSeconds);
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
 * Signatures that are well-formed, of the right length, with what belongs to them: one group, or several where each
 * signature has a time of its own. One that is malformed never matches and does not spoil the others.
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
    const signatures = candidates.flatMap((candidate) => decodeSignature(compiled, candidate) ?? []);
    return signatures.length === 0 ? [] : [{ signatures, parts }];
  });
  return groups.length === 0 ? fail("signature_malformed", describeSignature(compiled.scheme)) : groups;
}

/** The length is checked before decoding, so that a header of a megabyte costs nothing. */
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
function fill(compiled: Compiled, view: RequestView, parts: Parts): Filling | VerifyFailure {
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
    if (variable === "form") {
      const form = view.readSortedForm();
      if (form === null) return fail("value_missing", "the form");
      pieces.set(variable, { utf8: form });
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
