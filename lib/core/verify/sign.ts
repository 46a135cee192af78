/**
 * The inverse of `verify.ts`: signs a request like the provider, for samples, the diagnosis, and
 * tests.
 */
import { hash, sign } from "node:crypto";
import { computeMac, joinSignedText, type Piece } from "./kinds/mac.ts";
import { hashOf } from "./kinds/verify-public-key.ts";
import { findSource } from "./kinds/verify-signed.ts";
import { hashBody } from "./scheme/body-hash.ts";
import { decodeSecret, toMacKey } from "./scheme/decode-secret.ts";
import { RequestView, type VerifyRequest } from "./scheme/request-view.ts";
import { type Compiled, compileScheme, type Scheme, type SigningScheme } from "./scheme/scheme.ts";
import { readTarget } from "./scheme/signed-url.ts";

export type SignInput = {
  readonly body: Uint8Array;
  readonly timestampMs: number;
  /** The id for schemes that sign a message id. */
  readonly id?: string;
  readonly url?: string;
  readonly method?: string;
  /** Headers that the scheme signs in addition to timestamp and id. */
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Returns the headers to send, with lowercase names. For a public key, `secret` is the private key
 * as PEM. Timestamps, ids, and values in the body or URL must already be there. Throws if the
 * scheme can't be signed like this.
 */
export function signRequest(
  scheme: Scheme,
  secret: string,
  input: SignInput,
): Record<string, string> {
  switch (scheme.kind) {
    case "mac":
    case "publicKey":
      return signText(scheme, secret, input);
    case "token":
      if (scheme.source.from !== "header")
        throw new Error("the token of this scheme is not in a header");
      return { [scheme.source.name]: latin1Of(`${scheme.prefix ?? ""}${secret}`) };
    case "basic":
      return { authorization: `Basic ${Buffer.from(secret, "utf8").toString("base64")}` };
    case "bearer":
      return { authorization: latin1Of(`Bearer ${secret}`) };
    case "code":
      throw new Error("this scheme signs more than headers: use signDelivery");
    default:
      return scheme satisfies never;
  }
}

function signText(scheme: SigningScheme, secret: string, input: SignInput): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of scheme.requiredHeaders ?? [])
    headers[name] = input.headers?.[name] ?? value ?? "";
  const parts: [string, string][] = [];
  const signature = computeSignature(scheme, secret, input, headers, parts);

  const source = scheme.signature.sources[0];
  if (source?.from !== "header") throw new Error("the signature of this scheme is not in a header");
  headers[source.name] = formatSignature(scheme, parts, signature);
  return headers;
}

/**
 * Returns only the encoded signature, for schemes without a signature header. Fills `headers` and
 * `parts`.
 */
export function computeSignature(
  scheme: SigningScheme,
  secret: string,
  input: SignInput,
  headers: Record<string, string> = {},
  parts: [string, string][] = [],
): string {
  const compiled = compileScheme(scheme);
  if (compiled === null || compiled.kind === "token") throw new Error("the scheme is not valid");
  const pieces = fill(compiled, input, headers, parts);
  if (compiled.kind === "publicKey") {
    return sign(
      hashOf(compiled.scheme.algorithm),
      joinSignedText(compiled, pieces),
      secret,
    ).toString(scheme.encoding);
  }
  const keyBytes = decodeSecret(scheme, secret);
  if (keyBytes === null) throw new Error("the secret can't be decoded");
  return computeMac(compiled, toMacKey(keyBytes), pieces).toString(scheme.encoding);
}

/**
 * Reads or creates every signed value. Adds header values to `headers`, and signature parts to
 * `parts`.
 */
function fill(
  { scheme, segments }: Compiled,
  input: SignInput,
  headers: Record<string, string>,
  parts: [string, string][],
): Map<string, Piece> {
  const { body, url = "", method = "POST" } = input;
  const request = requestForSigning(body, url, method);
  const view = new RequestView(request);
  const pieces = new Map<string, Piece>([["body", body]]);

  for (const segment of segments) {
    if ("text" in segment || pieces.has(segment.variable) || segment.variable === "secret")
      continue;
    const { variable } = segment;
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
      pieces.set(variable, { utf8: view.readSortedForm() ?? "" });
      continue;
    }
    const source = findSource(scheme, variable);
    if (source === undefined) throw new Error(`{${variable}} has no source`);
    if (source.from !== "header" && source.from !== "part") {
      const reading = view.read(source, null);
      if (reading.found !== "one") throw new Error(`{${variable}} is not in the request`);
      pieces.set(variable, { utf8: reading.value });
      continue;
    }
    const value = makeValue(scheme, variable, input, source.from === "header" ? source.name : null);
    pieces.set(variable, { latin1: value });
    if (source.from === "header") headers[source.name] = value;
    else parts.push([source.key, value]);
  }
  return pieces;
}

export function requestForSigning(
  body: Uint8Array,
  url: string,
  method = "POST",
  headers: Readonly<Record<string, string>> = {},
): VerifyRequest {
  const distinct = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  return { method, url, body, headers: distinct, query: url.split("?")[1] ?? "" };
}

function makeValue(
  scheme: SigningScheme,
  variable: string,
  input: SignInput,
  header: string | null,
): string {
  if (variable === "timestamp" && scheme.timestamp !== undefined) {
    return formatTimestamp(input.timestampMs, scheme.timestamp.unit);
  }
  if (variable === "digest" && scheme.bodyDigest !== undefined) {
    const { hash: algorithm, encoding, prefix = "", suffix = "" } = scheme.bodyDigest;
    return prefix + hash(algorithm, input.body, "buffer").toString(encoding) + suffix;
  }
  const value =
    variable === "id" ? input.id : header === null ? undefined : input.headers?.[header];
  if (value === undefined) throw new Error(`{${variable}} is needed to sign with this scheme`);
  return value;
}

/** Formats a timestamp in the scheme's unit. */
export function formatTimestamp(
  timeMs: number,
  unit: NonNullable<SigningScheme["timestamp"]>["unit"],
): string {
  switch (unit) {
    case "s":
      return String(Math.floor(timeMs / 1000));
    case "ms":
      return String(Math.floor(timeMs));
    case "rfc3339":
      return new Date(timeMs).toISOString();
    case "iso-zoneless":
      return new Date(timeMs).toISOString().slice(0, -1);
    case "http-date":
      return new Date(timeMs).toUTCString();
    default:
      return unit satisfies never;
  }
}

function formatSignature(
  scheme: SigningScheme,
  parts: readonly [string, string][],
  signature: string,
): string {
  const { format } = scheme.signature;
  switch (format.type) {
    case "bare":
      return signature;
    case "prefixed":
      return format.prefix + signature;
    case "pairs":
      return [...parts, [format.key, signature] as const]
        .map(([key, value]) => key + format.keySeparator + value)
        .join(format.itemSeparator);
    default:
      return format satisfies never;
  }
}

/** Header values are latin1. */
function latin1Of(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
