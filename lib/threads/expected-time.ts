import type { JobOwner } from "./fair-queue.ts";

const maxKnown = 10_000;
/** The weight of the latest time. */
const weight = 0.5;

/**
 * Estimates how long the work of an action will take, based on its recent times. A new action is
 * expected to take as long as its account's work, and a new account no time.
 */
export class ExpectedTime {
  readonly #known = new Map<string, number>();

  of({ accountId, actionId = "" }: JobOwner): number {
    return this.#known.get(`${accountId} ${actionId}`) ?? this.#known.get(accountId) ?? 0;
  }

  learn(place: JobOwner, usedMs: number): void {
    const { accountId, actionId = "" } = place;
    this.#set(`${accountId} ${actionId}`, usedMs);
    this.#set(accountId, usedMs);
  }

  #set(key: string, usedMs: number): void {
    const before = this.#known.get(key) ?? usedMs;
    // The most recent entry comes last.
    this.#known.delete(key);
    this.#known.set(key, before + weight * (usedMs - before));
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}
