import { withTimeLimit } from "#lib/base/with-time-limit.ts";
/** Counts work in flight, so that a shutdown can wait for it. */
export class InFlight {
  #count = 0;
  #isClosed = false;
  #onQuiet: (() => void) | null = null;

  /** True once shutdown has started. Doesn't prevent new work. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#onQuiet?.();
  }

  /** Settles when nothing is in flight, or after `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    if (this.#count === 0) return;
    const quiet = new Promise<void>((resolve) => {
      this.#onQuiet = resolve;
    });
    await withTimeLimit(quiet, timeoutMs, () => {});
  }
}
