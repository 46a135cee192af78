import { RateLimiter } from "#lib/base/rate-limiter.ts";
import { isLoopback, toClientNetwork } from "#lib/core/sending/address/client-network.ts";

type RateLimitOptions = {
  /** Requests per second to a hook without its own rate. 0: no limit. */
  readonly hookPerSecond: number;
  /** Requests per second from one client address (an IPv6 /64). 0: no limit. */
  readonly clientPerSecond: number;
  /** The number of processes among which the clients are spread. Default: 1. */
  readonly processes?: number;
  readonly now: () => number;
};

/**
 * Rate limits by hook and by client, each with bursts of twice the rate. Loopback is exempt from
 * the client limit: an untrusted local proxy would count as one client.
 */
export class RateLimits {
  readonly #hooks: RateLimiter;
  readonly #clients: RateLimiter;

  constructor({ hookPerSecond, clientPerSecond, processes = 1, now }: RateLimitOptions) {
    this.#hooks = new RateLimiter({ ratePerSecond: hookPerSecond, processes, now });
    this.#clients = new RateLimiter({ ratePerSecond: clientPerSecond, processes, now });
  }

  /** Takes a request from both limits. Null: it is within both. */
  take(hook: LimitedHook, sourceIp: string): Exceeded | null {
    const clientWait = isLoopback(sourceIp) ? 0 : this.#clients.take(toClientNetwork(sourceIp));
    if (clientWait > 0) return { who: "client", retryAfterSeconds: clientWait };
    const hookWait = this.#hooks.take(hook.id, hook.ratePerSecond ?? undefined);
    return hookWait === 0 ? null : { who: "hook", retryAfterSeconds: hookWait };
  }
}

/** `ratePerSecond` is the hook's own rate, if any. */
type LimitedHook = { readonly id: string; readonly ratePerSecond: number | null };

export type Exceeded = { readonly who: "client" | "hook"; readonly retryAfterSeconds: number };
