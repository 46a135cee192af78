import type { CatchHook } from "./catch-hook.ts";

/**
 * Hooks by the two segments of their catch URL. Short-lived, and emptied by a notification the moment a hook changes
 * in any process; when notifications can't be heard it lives for a second only. It holds no misses: a stranger who
 * guesses URLs must not be able to push out the hooks that are in use.
 */
export type HookCacheOptions = {
  /** Reads the hook as it is after the call. */
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

  /** The hook, if it is in memory and still counts. Kept apart from `load` to cost no promise. */
  peek(accountSlug: string, hookKey: string): CatchHook | undefined {
    const entry = this.#entries.get(`${accountSlug}/${hookKey}`);
    return entry !== undefined && entry.expiresAtMs > this.#options.now() ? entry.hook : undefined;
  }

  /**
   * The hook as the database has it now. Also to be asked before every refusal that rests on a remembered hook: the
   * user may have pasted the right secret a moment ago, and the notification may still be on its way. Throws when
   * the database is away.
   */
  async load(accountSlug: string, hookKey: string): Promise<CatchHook | null> {
    const generation = this.#generation;
    const hook = await this.#options.load(accountSlug, hookKey);
    // Something changed while it was read: the answer serves who asked for it, but is not kept.
    if (hook !== null && generation === this.#generation) this.#keep(`${accountSlug}/${hookKey}`, hook);
    return hook;
  }

  /** A hook changed somewhere. */
  forget(hookId: string): void {
    this.#generation += 1;
    for (const [key, { hook }] of this.#entries) if (hook.id === hookId) this.#entries.delete(key);
  }

  /** Whether changes are heard of at once. What was missed while they were not is unknown, so all is forgotten. */
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
