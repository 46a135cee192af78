import type { CatchHook } from "./catch-hook.ts";

/**
 * Caches hooks by the two segments of their catch URL. Entries are short-lived and removed by a
 * notification when a hook changes in any process. Without notifications, they live for one second.
 * Misses are not cached, so that guessing URLs can't evict hooks.
 */
export type HookCacheOptions = {
  /** Loads the hook from the database. */
  readonly load: (accountSlug: string, hookKey: string) => Promise<CatchHook | null>;
  readonly now: () => number;
  readonly maxEntries?: number;
};

type Entry = { readonly hook: CatchHook; readonly expiresAtMs: number };

const heardTtlMs = 30_000;
const unheardTtlMs = 1_000;

export class HookCache {
  readonly #options: HookCacheOptions;
  readonly #entries = new Map<string, Entry>();
  #generation = 0;
  #isHearing = false;

  constructor(options: HookCacheOptions) {
    this.#options = options;
  }

  /** The cached hook, if it is still valid. Synchronous, to avoid a promise. */
  peek(accountSlug: string, hookKey: string): CatchHook | undefined {
    const entry = this.#entries.get(`${accountSlug}/${hookKey}`);
    return entry !== undefined && entry.expiresAtMs > this.#options.now() ? entry.hook : undefined;
  }

  /**
   * Loads the hook from the database. Call it before rejecting based on a cached hook: the secret
   * may just have changed, with the notification still on its way. Throws if the database is
   * unavailable.
   */
  async load(accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    const generation = this.#generation;
    const hook = await this.#options.load(accountSlug, hookKey);
    // It changed while loading: return it, but don't cache it.
    if (hook !== null && generation === this.#generation)
      this.#keep(`${accountSlug}/${hookKey}`, hook);
    return hook;
  }

  /** Removes a changed hook. */
  forget(hookId: string): void {
    this.#generation += 1;
    for (const [key, { hook }] of this.#entries) if (hook.id === hookId) this.#entries.delete(key);
  }

  /** Whether notifications arrive. Changes may have been missed, so the cache is cleared. */
  setHearing(isHearing: boolean): void {
    this.#isHearing = isHearing;
    this.#generation += 1;
    this.#entries.clear();
  }

  #keep(key: string, hook: CatchHook): void {
    if (this.#entries.size >= (this.#options.maxEntries ?? 10_000)) this.#entries.clear();
    const ttlMs = this.#isHearing ? heardTtlMs : unheardTtlMs;
    this.#entries.set(key, {
      hook,
      expiresAtMs: Math.min(this.#options.now() + ttlMs, hook.validUntilMs),
    });
  }
}
