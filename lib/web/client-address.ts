import { isIP, isIPv6 } from "node:net";

/**
 * The client that a request counts for, from `X-Forwarded-For`, which the listener in front of us has replaced by the
 * one address that it vouches for. Null where there is none. Of an IPv6 address the /64 counts: one subscriber has at
 * least that many addresses.
 */
export function readClientKey(headers: { get(name: string): string | null }): string | null {
  const address = headers.get("x-forwarded-for")?.trim() ?? "";
  if (isIP(address) === 0) return null;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? networkOf(address) : address;
}

function networkOf(address: string): string {
  // The URL parser writes the one shortest form (RFC 5952); a zone (%eth0) means nothing beyond its link.
  const shortest = new URL(`http://[${address.split("%")[0]}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = shortest.split("::");
  const start = head === "" ? [] : head.split(":");
  const end = tail === "" ? [] : tail.split(":");
  const zeros = shortest.includes("::") ? Array<string>(8 - start.length - end.length).fill("0") : [];
  return `${[...start, ...zeros, ...end].slice(0, 4).join(":")}::/64`;
}
