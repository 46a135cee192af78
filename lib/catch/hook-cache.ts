import type { CatchHook } from "./catch-hook.ts";

/**
 * Hooks by the two segments of their catch URL. Short-lived, and emptied by a notification the moment a hook changes
 * in any process; when notifications can't be heard it lives for a second only. It holds misses too, so that a wrong
 * URL that is called in a loop does not become a query each time.
 */
export type HookCacheOptions = {
  readonly load: (accountSlug: string, hookKey: string) => Promise<CatchHook | null>;
  readonly now: () => number;
  readonly maxEntries?: number;
};

type Entry = { readonly hook: CatchHook | null; readonly loadedAtMs: number; readonly expiresAtMs: number };

const heardTtlMs = 30_000;
const unheardTtlMs = 1_000;
/** A refusal is decided on what the database said at most this long ago. */
const freshMs = 200;

export class HookCache {
  readonly #options: HookCacheOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<CatchHook | null>>();
  #generation = 0;
  #isHearing = false;

  constructor(options: HookCacheOptions) {
    this.#options = options;
  }

  /** The hook, if it is in memory and still counts; undefined: ask `load`. Kept apart from it to cost no promise. */
  peek(accountSlug: string, hookKey: string): CatchHook | null | undefined {
    const entry = this.#entries.get(`${accountSlug}/${hookKey}`);
    return entry !== undefined && entry.expiresAtMs > this.#options.now() ? entry.hook : undefined;
  }

  /** Loads it, once for all who ask at the same time. Throws when the database is away. */
  async load(accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    const key = `${accountSlug}/${hookKey}`;
    const underway = this.#loading.get(key);
    if (underway !== undefined) return underway;
    const loading = this.#loadNow(key, accountSlug, hookKey).finally(() => {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    });
    this.#loading.set(key, loading);
    return loading;
  }

  /**
   * The hook as the database has it now, or had it an instant ago: before a refusal, since the user may have pasted
   * the right secret a moment ago and the notification may still be on its way. Bounded: at most five loads a second
   * and hook, however many forged requests arrive.
   */
  async loadFresh(accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    const entry = this.#entries.get(`${accountSlug}/${hookKey}`);
    if (entry !== undefined && entry.loadedAtMs > this.#options.now() - freshMs) return entry.hook;
    return this.load(accountSlug, hookKey);
  }

  /** A hook changed somewhere. Misses go too: it may be the hook that was looked for in vain. */
  forget(hookId: string): void {
    this.#generation += 1;
    this.#loading.clear();
    for (const [key, { hook }] of this.#entries) {
      if (hook === null || hook.id === hookId) this.#entries.delete(key);
    }
  }

  /** Whether changes are heard of at once. What was missed while they were not is unknown, so all is forgotten. */
  setHearing(isHearing: boolean): void {
    this.#isHearing = isHearing;
    this.#generation += 1;
    this.#loading.clear();
    this.#entries.clear();
  }

  async #loadNow(key: string, accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    const generation = this.#generation;
    const hook = await this.#options.load(accountSlug, hookKey);
    // Something changed while it was read: the answer serves who asked for it, but is not kept.
    if (generation !== this.#generation) return hook;
    if (this.#entries.size >= (this.#options.maxEntries ?? 10_000)) this.#entries.clear();
    const nowMs = this.#options.now();
    const ttlMs = hook === null ? freshMs : this.#isHearing ? heardTtlMs : unheardTtlMs;
    const expiresAtMs = Math.min(nowMs + ttlMs, hook?.validUntilMs ?? Number.POSITIVE_INFINITY);
    this.#entries.set(key, { hook, loadedAtMs: nowMs, expiresAtMs });
    return hook;
  }
}
