/** Counts by key. A key whose count is back at zero takes no memory. */
export class KeyCounts {
  readonly #counts = new Map<string, number>();

  /** Returns false, without counting, if the key already has `max`. */
  add(key: string, max: number): boolean {
    const count = this.#counts.get(key) ?? 0;
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
