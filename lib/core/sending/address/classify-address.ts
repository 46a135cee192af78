import ipaddr from "ipaddr.js";

/** `name` is for logs and tests only. Users never see which range matched. */
type AddressClass =
  | { readonly kind: "public" }
  | { readonly kind: "special"; readonly name: string };

/**
 * Classifies an IP address as public or special.
 *
 * Everything else is `special`: all IANA special-purpose ranges (RFC 6890 and its updates),
 * including the few reachable ones (AS112, AMT), and anything that isn't an address.
 *
 * @param address canonical text from a resolver or `URL`. Brackets and octal, hex, or short IPv4
 * forms
 *   count as special.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function classifyAddress(address: string): AddressClass {
  const parsed = parseAddress(address);
  if (parsed === null) return { kind: "special", name: "invalid" };
  const range = parsed.range();
  if (range !== "unicast") return { kind: "special", name: range };
  if (parsed.kind() === "ipv6" && !isAllocatedUnicast(parsed)) {
    return { kind: "special", name: "outsideGlobalUnicast" };
  }
  return { kind: "public" };
}

export type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses canonical text. IPv4-mapped IPv6 addresses become IPv4. */
export function parseAddress(address: string): ParsedAddress | null {
  // A scope (fe80::1%eth0) selects an interface of this machine.
  if (address.includes("%")) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  const hexAddress = address.replace(dottedTail, toHexGroups);
  return ipaddr.IPv6.isValid(hexAddress) ? ipaddr.process(hexAddress) : null;
}

/**
 * ipaddr.js 2.5 reads `::8.8.8.8` as the IPv4-mapped `::ffff:8.8.8.8`. It is the IPv4-compatible
 * `::808:808`, another address; resolvers print it with dots too.
 */
const dottedTail = /(?<=:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

function toHexGroups(text: string, ...octets: unknown[]): string {
  const [a, b, c, d] = octets.slice(0, 4).map(Number) as [number, number, number, number];
  if (Math.max(a, b, c, d) > 255) return text;
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/**
 * IANA assigns IPv6 unicast from 2000::/3 only (RFC 4291 §2.4). Anything outside without a name in
 * ipaddr.js isn't the internet: IPv4-compatible `::a.b.c.d`, the dummy prefix `100:0:0:1::/64` (RFC
 * 9780), and anything reserved later.
 */
function isAllocatedUnicast(address: ParsedAddress): boolean {
  const firstByte = address.toByteArray()[0] ?? 0;
  return firstByte >> 5 === 0b001;
}
