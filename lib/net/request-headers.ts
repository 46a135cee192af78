/**
 * Checks the headers of a call and flattens them for undici. Headers that frame or route the
 * message are the client's business: setting one could lead to request smuggling or another host
 * (undici itself allows `host`).
 *
 * `Accept-Encoding` is always `identity`: responses are stored as sent, and a compressed one is
 * useless to its reader.
 *
 * @returns name, value, name, value, …, or an error message that names the header
 */
export function toHeaderList(headers: readonly (readonly [string, string])[]): string[] | string {
  const list = ["accept-encoding", "identity"];
  for (const [name, value] of headers) {
    if (!isToken.test(name)) return "A header name contains characters that are not allowed.";
    const lowerName = name.toLowerCase();
    if (lowerName === "accept-encoding") continue;
    if (clientHeaders.has(lowerName) || lowerName.startsWith("proxy-")) {
      return `The header ${lowerName} can't be set.`;
    }
    if (!isFieldValue.test(value)) {
      return `The header ${lowerName} contains a control character or one outside Latin-1.`;
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
export const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const isFieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
