import { isIP } from "node:net";
import { log } from "#lib/base/log.ts";
import { type AllowList, isInNetworks } from "#lib/core/sending/address/allow-list.ts";

/**
 * The client address of a request. `X-Forwarded-For` is used only if the peer is a trusted proxy,
 * and is read from the right: the last address that isn't a trusted proxy counts. Entries further
 * left may be forged. If an entry isn't an address, the one before it counts.
 */
export function readClientAddress(
  peerAddress: string,
  forwardedFor: readonly string[] | undefined,
  trustedProxies: AllowList,
): string {
  const peer = unmap(peerAddress);
  if (
    trustedProxies.length === 0 ||
    forwardedFor === undefined ||
    !isInNetworks(peer, trustedProxies)
  )
    return peer;
  let client = peer;
  for (const entry of forwardedFor.join(",").split(",").reverse()) {
    const hop = readHop(entry.trim());
    if (hop === null) return client;
    client = hop;
    if (!isInNetworks(hop, trustedProxies)) return client;
  }
  return client;
}

/** Some proxies add the port: `203.0.113.7:52011`, `[2001:db8::1]:443`. */
function readHop(entry: string): string | null {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  const address = unmap(bare);
  // A zone (`fe80::1%eth0`) only has a meaning on another machine.
  return isIP(address) === 0 || address.includes("%") ? null : address;
}

/** An IPv4-mapped IPv6 address, as dual-stack sockets report it. */
function unmap(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

/**
 * Warns once per process about X-Forwarded-For from an untrusted address: either a proxy missing
 * from CATCHMENT_TRUSTED_PROXIES, whose clients all count as one, or a client that forges its
 * address.
 */
export class UntrustedProxyWarning {
  readonly #warn: typeof log.warn;
  #isGiven = false;

  constructor(warn: typeof log.warn = log.warn) {
    this.#warn = warn;
  }

  consider(peer: string, forwardedFor: string | undefined, trustedProxies: AllowList): void {
    if (this.#isGiven || forwardedFor === undefined || isInNetworks(peer, trustedProxies)) return;
    this.#isGiven = true;
    this.#warn("proxy.untrusted", {
      peer,
      advice: "If this is your reverse proxy, add its address to CATCHMENT_TRUSTED_PROXIES.",
    });
  }
}
