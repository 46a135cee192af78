import { isText, readTextBody } from "#lib/core/mapping/payload/text-of-body.ts";
import { showMultipart, showSize } from "./show-multipart.ts";

type Headers = readonly (readonly [name: string, value: string])[];

type Received = {
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The rest of the body wasn't read. */
  readonly truncated: boolean;
};

type ShownBody = { readonly text: string; readonly isBinary: boolean };

/**
 * A response's body for people: text by its charset, and `[binary, 1,234 bytes]` for what isn't text.
 *
 * @param maxBytes of text. A character that the cut splits is left out
 */
export function showResponseBody(
  { headers, body, truncated }: Received,
  maxBytes = Number.POSITIVE_INFINITY,
): ShownBody {
  const type = typeOf(headers);
  const text = readTextBody(body.subarray(0, maxBytes), type);
  if (text !== null) return { text, isBinary: false };
  const form = type === null ? null : showMultipart(body, type);
  const size = truncated
    ? showSize(body.byteLength).replace("[binary, ", "[binary, at least ")
    : showSize(body.byteLength);
  return { text: form ?? size, isBinary: true };
}

type StoredBody = {
  readonly headers: Headers;
  readonly body: string;
  readonly bodyBinary?: boolean;
};

/**
 * The body of a stored response. Versions before this one stored U+FFFD for what isn't text, and not how many
 * bytes there were.
 */
export function showStoredBody({ headers, body, bodyBinary }: StoredBody): ShownBody {
  if (bodyBinary === true) return { text: body, isBinary: true };
  if (!body.includes("\ufffd") || isText(body, typeOf(headers)))
    return { text: body, isBinary: false };
  const length = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? "";
  return {
    text: /^\d{1,15}$/.test(length) ? showSize(Number(length)) : "[binary]",
    isBinary: true,
  };
}

function typeOf(headers: Headers): string | null {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
}
