import { withTimeLimit } from "#lib/base/with-time-limit.ts";

/** Pairs questions with their answers, over a channel that may break at any time. */
export class Questions {
  readonly #open = new Map<number, (answer: unknown) => void>();
  #lastId = 0;

  /** @returns undefined if there is no answer in time */
  async ask(timeoutMs: number, send: (id: number) => void): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#open.set(id, resolve);
    try {
      send(id);
      return await withTimeLimit(promise, timeoutMs, () => undefined);
    } finally {
      this.#open.delete(id);
    }
  }

  resolve(id: number, answer: unknown): void {
    this.#open.get(id)?.(answer);
  }

  /** Settles all of them: there will be no answer. */
  giveUp(): void {
    for (const resolve of this.#open.values()) resolve(undefined);
  }
}
