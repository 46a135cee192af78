import { isIPv6 } from "node:net";

/**
 * What counts as one client where clients are counted: an IPv4 address, or the /64 of an IPv6 one. One subscriber has at least
 * that many addresses, and would otherwise be somebody new with each request.
 *
 * @param address as a socket has it; what is no IPv6 address stays as it is
 */
export function toClientNetwork(address: string): string {
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
