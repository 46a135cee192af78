import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { CatchHook } from "#lib/evaluate/catch-hook.ts";
import { NotifiedCache } from "#lib/ingress/notified-cache.ts";
import { slowMs } from "#lib/spool/spooling-store.ts";
import type { HookFallback } from "./hook-fallback.ts";

type HookCacheOptions = {
  /** Loads the hook from the database. */
  readonly load: (accountSlug: string, hookKey: string) => Promise<CatchHook | null>;
  readonly now: () => number;
  readonly maxEntries?: number;
  /** Where hooks are found while the database is away. Omitted: nowhere. */
  readonly fallback?: HookFallback | undefined;
};

/** Caches hooks by the two segments of their catch URL. */
export class HookCache {
  readonly #hooks: NotifiedCache<CatchHook>;
  readonly #fallback: HookFallback | undefined;

  constructor({ load, now, maxEntries, fallback }: HookCacheOptions) {
    this.#fallback = fallback;
    this.#hooks = new NotifiedCache({
      load: (key) => {
        // Neither segment contains a slash.
        const slash = key.indexOf("/");
        return load(key.slice(0, slash), key.slice(slash + 1));
      },
      validUntilMs: ({ validUntilMs }) => validUntilMs,
      now,
      maxEntries,
    });
  }

  /** The cached hook, if it is still valid. Synchronous, to avoid a promise. */
  peek(accountSlug: string, hookKey: string): CatchHook | undefined {
    return this.#hooks.peek(`${accountSlug}/${hookKey}`);
  }

  /**
   * The hook of a new request that isn't cached. Null: there is none. Throws if the database is
   * away and the hook isn't known without it.
   */
  async find(accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    const fallback = this.#fallback;
    if (fallback === undefined) return await this.load(accountSlug, hookKey);
    const url = { accountSlug, hookKey };
    const kept = fallback.isAway ? await fallback.find(url) : null;
    if (kept !== null) return kept;
    const loading = this.load(accountSlug, hookKey);
    try {
      return await withTimeLimit(loading, slowMs, () => {
        throw new Error("The database did not answer in time.");
      });
    } catch {
      return (await fallback.find(url)) ?? (await loading);
    }
  }

  /**
   * Loads the hook from the database. Call it before rejecting based on a cached hook: the secret
   * may just have changed, with the notification still on its way. Throws if the database is
   * unavailable.
   */
  load(accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    return this.#hooks.load(`${accountSlug}/${hookKey}`);
  }

  /** Removes a changed hook. */
  forget(hookId: string): void {
    this.#hooks.forget(({ id }) => id === hookId);
  }

  /**
   * Call it when notifications start or stop arriving. Changes may have been missed, so the cache
   * is cleared.
   */
  setListening(isListening: boolean): void {
    this.#hooks.setListening(isListening);
  }
}
