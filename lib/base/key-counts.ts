/** Counts by key. A key whose count is back at zero takes no memory. */
export class KeyCounts {
  readonly #counts = new Map<string, number>();

  /** The keys that have a count. */
  get keys(): readonly string[] {
    return [...this.#counts.keys()];
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Returns false, without counting, if the key already has `max`. Default: no limit. */
  add(key: string, max = Number.POSITIVE_INFINITY): boolean {
    const count = this.of(key);
    if (count >= max) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  remove(key: string): void {
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left === 0) this.#counts.delete(key);
    else this.#counts.set(key, left);
  }
}
