/** Counts what is under way, so that a stop can wait for it. */
export class UnderWay {
  #count = 0;
  #isClosed = false;
  #onQuiet: (() => void) | null = null;

  /** True once a stop has begun. What is started nevertheless is not refused here, and not waited for for ever. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  async run(work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    try {
      await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) this.#onQuiet?.();
    }
  }

  /** Settles when nothing is under way any more, or after `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onQuiet = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
