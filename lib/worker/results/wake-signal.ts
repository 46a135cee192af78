/**
 * Wakes one loop. A notification while the loop isn't waiting is remembered, so that none is
 * missed.
 */
export class WakeSignal {
  #isSet = false;
  #resume: (() => void) | undefined;

  notify(): void {
    this.#isSet = true;
    this.#resume?.();
  }

  /** Settles at the next notification, or after `timeoutMs`. */
  async wait(timeoutMs: number): Promise<void> {
    if (!this.#isSet) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      this.#resume = resolve;
      await promise;
      clearTimeout(timer);
      this.#resume = undefined;
    }
    this.#isSet = false;
  }
}
