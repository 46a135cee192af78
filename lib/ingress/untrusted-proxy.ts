import { type AllowList, isInNetworks } from "#lib/core/address/allow-list.ts";
import { log } from "#lib/log.ts";

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
