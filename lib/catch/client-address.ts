import { type AllowList, isInNetworks } from "#lib/core/address/allow-list.ts";

/**
 * The address a request came from. `X-Forwarded-For` is believed only when the peer is a trusted proxy, and then read
 * from the right: the last address that is not itself a trusted proxy. What a stranger writes further left is not.
 */
export function readClientAddress(
  peerAddress: string,
  forwardedFor: readonly string[] | undefined,
  trustedProxies: AllowList,
): string {
  const peer = peerAddress.startsWith("::ffff:") ? peerAddress.slice(7) : peerAddress;
  if (trustedProxies.length === 0 || forwardedFor === undefined || !isInNetworks(peer, trustedProxies))
    return peer;
  const hops = forwardedFor
    .join(",")
    .split(",")
    .map((hop) => hop.trim());
  let client = peer;
  for (const hop of hops.reverse()) {
    if (!looksLikeAddress.test(hop)) return client;
    client = hop;
    if (!isInNetworks(hop, trustedProxies)) return client;
  }
  return client;
}

const looksLikeAddress = /^[0-9a-fA-F:.]{2,45}$/;
