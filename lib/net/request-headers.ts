/**
 * Checks the headers of a call and flattens them for undici. What frames the message or routes it is the
 * client's business: a caller that sets such a header has been talked into request smuggling or into another
 * host (undici itself lets `host` through).
 *
 * `Accept-Encoding` is always `identity`: answers are stored as sent, and a compressed one is of no use to its reader.
 *
 * @returns name, value, name, value, …, or a sentence that names the header which can't be sent
 */
export function toHeaderList(headers: readonly (readonly [string, string])[]): string[] | string {
  const list = ["accept-encoding", "identity"];
  for (const [name, value] of headers) {
    if (!isToken.test(name)) return "A header name has characters that are not allowed in one.";
    const lowerName = name.toLowerCase();
    if (lowerName === "accept-encoding") continue;
    if (clientHeaders.has(lowerName) || lowerName.startsWith("proxy-")) {
      return `The header ${lowerName} can't be set.`;
    }
    if (!isFieldValue.test(value)) {
      return `The header ${lowerName} has a control character or one outside Latin-1 in its value.`;
    }
    list.push(name, value);
  }
  return list;
}

const clientHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** RFC 9110 §5.6.2 and §5.5. */
const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const isFieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
