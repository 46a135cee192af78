/** A bell that one loop waits for. A ring while nobody waits is remembered, so that none is missed between look and wait. */
export class Wake {
  #isRung = false;
  #resume: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#resume?.();
  }

  /** Settles at the next ring, or after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      this.#resume = resolve;
      await promise;
      clearTimeout(timer);
      this.#resume = undefined;
    }
    this.#isRung = false;
  }
}
