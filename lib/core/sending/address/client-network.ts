import { isIPv6 } from "node:net";

/**
 * The address range that counts as one client: an IPv4 address, or an IPv6 /64, since one subscriber has at least
 * that many addresses.
 *
 * @param address as reported by a socket. Returned unchanged if it isn't IPv6.
 */
export function toClientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? networkOf(address) : address;
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address.replace("::ffff:", "").startsWith("127.");
}

function networkOf(address: string): string {
  // The URL parser returns the shortest form (RFC 5952). A zone (%eth0) only matters on its link.
  const shortest = new URL(`http://[${address.split("%")[0]}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = shortest.split("::");
  const start = head === "" ? [] : head.split(":");
  const end = tail === "" ? [] : tail.split(":");
  const zeros = shortest.includes("::")
    ? Array<string>(8 - start.length - end.length).fill("0")
    : [];
  return `${[...start, ...zeros, ...end].slice(0, 4).join(":")}::/64`;
}
