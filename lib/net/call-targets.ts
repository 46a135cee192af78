import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { canonicalHost, checkUrl, effectivePort } from "#lib/core/sending/address/check-url.ts";
import { CallFailure } from "./call-failure.ts";

/** The target of a call, read from its URL alone. */
type CallTarget = {
  /** The origin in the form that undici expects. */
  readonly origin: string;
  /** The path with the query. */
  readonly path: string;
  /** The result of `toOwnOrigin`. */
  readonly ownOrigin: string;
};

const maxCached = 1_000;
const maxCachedChars = 1_000;

/**
 * Checks URLs and remembers the results, because checking one costs more than looking it up and
 * most calls go to few URLs. Only results that depend on nothing but the URL and the allowlist are
 * remembered. Addresses of names are checked for each connection.
 */
export class CallTargets {
  readonly #allow: AllowList;
  readonly #known = new Map<string, CallTarget | CallFailure>();

  constructor(allow: AllowList) {
    this.#allow = allow;
  }

  read(url: string): CallTarget | CallFailure {
    const known = this.#known.get(url);
    if (known !== undefined) return known;
    const target = readTarget(url, this.#allow);
    if (url.length > maxCachedChars) return target;
    // Clearing everything is simpler than eviction. It rarely happens, or the URLs differ from call
    // to call anyway.
    if (this.#known.size >= maxCached) this.#known.clear();
    this.#known.set(url, target);
    return target;
  }
}

function readTarget(text: string, allow: AllowList): CallTarget | CallFailure {
  const checked = checkUrl(text, allow);
  if (!checked.ok) {
    return checked.code === "blocked"
      ? new CallFailure("blocked")
      : new CallFailure("invalid_request", checked.message);
  }
  const { url } = checked;
  return { origin: url.origin, path: url.pathname + url.search, ownOrigin: toOwnOrigin(url) };
}

/**
 * Scheme, host, and port in canonical form: without the host's trailing dot and the scheme's
 * default port.
 */
export function toOwnOrigin(url: URL): string {
  return `${url.protocol}//${canonicalHost(url)}:${effectivePort(url)}`;
}
