/**
 * Shared tokens: a header, a query parameter, basic (RFC 7617), or bearer (RFC 6750)
 * authentication.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import type { VerifyFailure, VerifyFailureReason } from "#lib/core/verify/scheme/failure.ts";
import {
  describeSource,
  type Reading,
  RequestView,
  readHeader,
  type VerifyRequest,
} from "#lib/core/verify/scheme/request-view.ts";
import type { TokenScheme } from "#lib/core/verify/scheme/scheme.ts";
import { findSecretProblem } from "#lib/core/verify/scheme/secret.ts";

/** Null if no secret is usable. The check returns null if the token matches a secret. */
export function prepareToken(
  scheme: TokenScheme,
  secrets: readonly string[],
): ((request: VerifyRequest) => VerifyFailure | null) | null {
  const usable = secrets.filter((secret) => findSecretProblem(scheme, secret) === null);
  if (usable.length === 0) return null;
  const digests = usable.map((secret) => digest(Buffer.from(secret, "utf8")));
  const subject =
    scheme.kind === "token" ? describeSource(scheme.source) : "the header authorization";
  const fail = (reason: VerifyFailureReason): VerifyFailure => ({
    reason,
    subject,
    skewSeconds: null,
  });

  const check = (reading: Reading): VerifyFailure | null => {
    if (reading.found === "none") return fail("token_missing");
    if (reading.found === "many") return fail("header_repeated");
    const token = takeToken(scheme, reading.value);
    if (token === null || token.length === 0) return fail("token_malformed");

    // Compares digests, which have equal length, so that timing doesn't reveal the length of the
    // secret.
    const sent = digest(token);
    return digests.filter((known) => timingSafeEqual(known, sent)).length > 0
      ? null
      : fail("token_mismatch");
  };
  return (request) => {
    const passed = new Set<string>();
    for (const reading of readTokens(scheme, request)) {
      if (reading.found === "one" && passed.has(reading.value)) continue;
      const failure = check(reading);
      if (failure !== null) return failure;
      if (reading.found === "one") passed.add(reading.value);
    }
    return null;
  };
}

/** Never empty. If each item of a batch has a token, all must match. */
function readTokens(scheme: TokenScheme, request: VerifyRequest): readonly Reading[] {
  if (scheme.kind !== "token") return [readHeader(request.headers, "authorization")];
  const view = new RequestView(request);
  return scheme.source.from === "body"
    ? view.readEach(scheme.source.path)
    : [view.read(scheme.source, null)];
}

/** The sent token, or null. Authentication scheme names ignore case (RFC 9110, 11.1). */
function takeToken(scheme: TokenScheme, value: string): Buffer | null {
  switch (scheme.kind) {
    case "token": {
      const { prefix = "", source } = scheme;
      if (!value.startsWith(prefix)) return null;
      return Buffer.from(value.slice(prefix.length), source.from === "header" ? "latin1" : "utf8");
    }
    case "basic": {
      const encoded = /^basic +([^ ]+)$/i.exec(value)?.[1];
      return encoded === undefined ? null : decodeCanonical(encoded, "base64");
    }
    case "bearer": {
      const token = /^bearer +([^ ].*)$/is.exec(value)?.[1];
      return token === undefined ? null : Buffer.from(token, "latin1");
    }
    default:
      return scheme satisfies never;
  }
}

function digest(bytes: Uint8Array): Buffer {
  return hash("sha256", bytes, "buffer");
}
