/**
 * Caches values that the database notifies of: entries are short-lived and removed by a
 * notification when they change in any process. Without notifications, they live for one second.
 * Misses are not cached, so that guessing can't evict anything.
 */
type NotifiedCacheOptions<Value> = {
  /** Loads the value from the database. */
  readonly load: (key: string) => Promise<Value | null>;
  /** Unix milliseconds after which the value is no longer valid. */
  readonly validUntilMs: (value: Value) => number;
  readonly now: () => number;
  readonly maxEntries?: number | undefined;
};

type Entry<Value> = { readonly value: Value; readonly expiresAtMs: number };

const listeningTtlMs = 30_000;
const silentTtlMs = 1_000;

export class NotifiedCache<Value> {
  readonly #options: NotifiedCacheOptions<Value>;
  readonly #entries = new Map<string, Entry<Value>>();
  #generation = 0;
  #isListening = false;

  constructor(options: NotifiedCacheOptions<Value>) {
    this.#options = options;
  }

  /** The cached value, if it is still valid. Synchronous, to avoid a promise. */
  peek(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.expiresAtMs > this.#options.now() ? entry.value : undefined;
  }

  /** Loads the value from the database. Throws if the database is unavailable. */
  async load(key: string): Promise<Value | null> {
    const generation = this.#generation;
    const value = await this.#options.load(key);
    // It changed while loading: return it, but don't cache it.
    if (value !== null && generation === this.#generation) this.#keep(key, value);
    return value;
  }

  /** Removes what has changed. */
  forget(isChanged: (value: Value) => boolean): void {
    this.#generation += 1;
    for (const [key, { value }] of this.#entries) if (isChanged(value)) this.#entries.delete(key);
  }

  /**
   * Call it when notifications start or stop arriving. Changes may have been missed, so the cache
   * is cleared.
   */
  setListening(isListening: boolean): void {
    this.#isListening = isListening;
    this.#generation += 1;
    this.#entries.clear();
  }

  #keep(key: string, value: Value): void {
    const { maxEntries = 10_000, now, validUntilMs } = this.#options;
    if (this.#entries.size >= maxEntries) this.#entries.clear();
    const ttlMs = this.#isListening ? listeningTtlMs : silentTtlMs;
    this.#entries.set(key, { value, expiresAtMs: Math.min(now() + ttlMs, validUntilMs(value)) });
  }
}
