import type { ListenerReply } from "#lib/db/listeners/listener-replies.ts";
import {
  isReplyContentType,
  isReplyHeader,
  maxReplyBytes,
  maxReplyHeaders,
  maxReplyValueChars,
  readReplyStatus,
} from "#lib/schema/receive/hook-reply.ts";

type Responded = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bodyBase64: string;
  /** The size of the whole body, of which `bodyBase64` may have the beginning. */
  readonly bodyBytes: number;
};

/** A name as of RFC 9110 §5.6.2, and a value that Node writes. */
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * What the provider gets of what a program responded: the status, the headers that a reply may have,
 * and the body. It is served from our origin, so a page becomes text. A redirect, a body that isn't
 * whole, and one that is compressed can't be passed on.
 */
export function toListenerReply({
  status,
  headers,
  bodyBase64,
  bodyBytes,
}: Responded): ListenerReply {
  const given = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const encoding = given.find(([name]) => name === "content-encoding")?.[1] ?? "identity";
  const isWhole =
    bodyBytes <= maxReplyBytes && Buffer.byteLength(bodyBase64, "base64") >= bodyBytes;
  const isReply =
    readReplyStatus(String(status)) !== undefined && encoding === "identity" && isWhole;
  if (!isReply) return { status: null, headers: {}, bodyBase64: "" };
  const sent = given.filter(([name, value]) => isSent(name, value)).slice(0, maxReplyHeaders);
  return { status, headers: Object.fromEntries(sent.map(withSafeType)), bodyBase64 };
}

function isSent(name: string, value: string): boolean {
  if (!isReplyHeader(name) || !headerName.test(name) || value.length > maxReplyValueChars)
    return false;
  return headerValue.test(value);
}

function withSafeType([name, value]: readonly [string, string]): readonly [string, string] {
  if (name !== "content-type" || isReplyContentType(value)) return [name, value];
  const isText = /^text\//i.test(value);
  return [name, isText ? "text/plain; charset=utf-8" : "application/octet-stream"];
}
