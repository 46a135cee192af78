import type { CatchHook } from "#lib/evaluate/catch-hook.ts";
import { NotifiedCache } from "#lib/ingress/notified-cache.ts";

type HookCacheOptions = {
  /** Loads the hook from the database. */
  readonly load: (accountSlug: string, hookKey: string) => Promise<CatchHook | null>;
  readonly now: () => number;
  readonly maxEntries?: number;
};

/** Caches hooks by the two segments of their catch URL. */
export class HookCache {
  readonly #hooks: NotifiedCache<CatchHook>;

  constructor({ load, now, maxEntries }: HookCacheOptions) {
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
