import { isUtf8 } from "node:buffer";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { showMultipart, showSize } from "#lib/core/api/http/show-multipart.ts";
import { showResponseBody } from "#lib/core/api/http/show-response.ts";
import { decodeText, hasOtherCharset } from "#lib/core/mapping/payload/decode-text.ts";
import { redactHeaders, redactUrl } from "#lib/core/people/redact/redact-request.ts";
import { redactText } from "#lib/core/people/redact/redact-text.ts";
import type { CallResponse } from "#lib/net/call-result.ts";

/** The part of a body that is stored and shown. */
const maxBodyBytes = 64 * 1024;
const maxTextChars = 2_000;

/**
 * `{method, url, headers, body, bodyTruncated}` as JSON text without secrets. `body` is null or
 * text. If not all of the bytes are UTF-8, `bodyBinary` is true, and binary parts are their sizes.
 */
export function toStoredRequest(request: OutgoingRequest, secretValues: readonly string[]): string {
  const { method, url, headers, body } = request;
  const shown = body === null || isUtf8(body) ? null : showBinary(body, findType(headers));
  const text = shown === null ? body : Buffer.from(shown);
  return JSON.stringify({
    method,
    url: redactUrl(url, secretValues),
    headers: redactHeaders(headers, secretValues),
    body: text === null ? null : redactText(toText(text), secretValues),
    bodyTruncated: text !== null && text.byteLength > maxBodyBytes,
    ...(shown !== null && { bodyBinary: true }),
  });
}

/** Versions before this one stored it like this: bytes that aren't UTF-8 are U+FFFD. */
export function toEarlierStoredBody(body: Uint8Array, secretValues: readonly string[]): string {
  return redactText(toText(body), secretValues);
}

function showBinary(bytes: Uint8Array, type: string | null): string {
  const form = type === null ? null : showMultipart(bytes, type);
  if (form !== null) return form;
  return type !== null && hasOtherCharset(type)
    ? decodeText(bytes, type).text
    : showSize(bytes.byteLength);
}

function findType(headers: OutgoingRequest["headers"]): string | null {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
}

/**
 * `{status, headers, body, truncated}` as JSON text without secrets: a receiver may repeat the
 * credentials that it was sent. If the body isn't text, `bodyBinary` is true, and it is its size.
 */
export function toStoredResponse(response: CallResponse, secretValues: readonly string[]): string {
  const { status, headers, body, truncated } = response;
  const { text, isBinary } = showResponseBody(response, maxBodyBytes);
  return JSON.stringify({
    status,
    headers: redactHeaders(headers, secretValues),
    body: redactText(text.slice(0, maxBodyBytes), secretValues),
    truncated: truncated || body.byteLength > maxBodyBytes,
    ...(isBinary && { bodyBinary: true }),
  });
}

/** A sentence for a text column, which can't store NUL or a lone surrogate. */
export function toStoredText(text: string, secretValues: readonly string[] = []): string {
  const redacted = redactText(text.slice(0, maxTextChars), secretValues);
  return (text.length > maxTextChars ? `${redacted}…` : redacted)
    .toWellFormed()
    .replaceAll("\0", "\u{fffd}");
}

/** Invalid UTF-8 becomes U+FFFD. A character split by the cut is dropped. */
function toText(bytes: Uint8Array): string {
  if (bytes.byteLength <= maxBodyBytes) return whole.decode(bytes);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, maxBodyBytes), {
    stream: true,
  });
}

const whole = new TextDecoder("utf-8", { ignoreBOM: true });
