/** Shared values in a header, a query parameter, basic (RFC 7617) or bearer (RFC 6750) authentication. */
import { hash, timingSafeEqual } from "node:crypto";
import { decodeCanonical } from "./encoding.ts";
import type { VerifyFailure, VerifyFailureReason } from "./failure.ts";
import { describeSource, type Reading, RequestView, readHeader, type VerifyRequest } from "./request-view.ts";
import type { TokenScheme } from "./scheme.ts";
import { findSecretProblem } from "./secret.ts";

/** Null when no secret is usable. The check gives null when the token is one of the secrets. */
export function prepareToken(
  scheme: TokenScheme,
  secrets: readonly string[],
): ((request: VerifyRequest) => VerifyFailure | null) | null {
  const usable = secrets.filter((secret) => findSecretProblem(scheme, secret) === null);
  if (usable.length === 0) return null;
  const digests = usable.map((secret) => digest(Buffer.from(secret, "utf8")));
  const subject = scheme.kind === "token" ? describeSource(scheme.source) : "the header authorization";
  const fail = (reason: VerifyFailureReason): VerifyFailure => ({ reason, subject, skewSeconds: null });

  return (request) => {
    const reading = readToken(scheme, request);
    if (reading.found === "none") return fail("token_missing");
    if (reading.found === "many") return fail("header_repeated");
    const token = takeToken(scheme, reading.value);
    if (token === null || token.length === 0) return fail("token_malformed");

    // Digests have one length, so the length of the secret does not show in the time either.
    const sent = digest(token);
    return digests.filter((known) => timingSafeEqual(known, sent)).length > 0 ? null : fail("token_mismatch");
  };
}

function readToken(scheme: TokenScheme, request: VerifyRequest): Reading {
  if (scheme.kind === "token") return new RequestView(request).read(scheme.source, null);
  return readHeader(request.headers, "authorization");
}

/** The bytes that the sender presents, or null. Names of authentication schemes ignore case (RFC 9110, 11.1). */
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
