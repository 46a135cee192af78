import type { Claim, KnownQueue } from "#lib/db/queue/claimed-run.ts";

/** A full claim that takes at most this long isn't worth avoiding. */
const cheapMs = 8;
/** Full claims take at most a tenth of the time. */
const dutyFactor = 9;
const maxPauseMs = 250;
const forgetAfterMs = 10_000;
const maxQueues = 500;

/**
 * Decides how far a claim looks: usually at all action queues from their start. If that has become
 * expensive (many runs finished since the last vacuum), most claims look only at queues that had
 * runs recently, from where the last one was found. Other runs wait for the next full claim, a
 * quarter of a second at most.
 */
export class ActionQueueMemory {
  readonly #queues = new Map<string, { readonly queue: KnownQueue; seenAt: number }>();
  #nextFullAt = 0;

  /** The queues to claim from. Undefined: all of them. `nowMs` may be any monotonic clock. */
  choose(nowMs: number): readonly KnownQueue[] | undefined {
    if (nowMs >= this.#nextFullAt || this.#queues.size === 0) return undefined;
    return Array.from(this.#queues.values(), ({ queue }) => queue);
  }

  /**
   * @param isInFlight tells whether an action has runs in flight: its queue stays known, because
   *   they count towards its account's limits
   */
  learn(
    claim: Claim,
    wasFull: boolean,
    nowMs: number,
    isInFlight: (targetId: string) => boolean,
  ): void {
    for (const queue of claim.queues) {
      // Keep the most recent one last.
      this.#queues.delete(queue.targetId);
      this.#queues.set(queue.targetId, { queue, seenAt: nowMs });
    }
    if (!wasFull) return;
    const pauseMs =
      claim.durationMs <= cheapMs ? 0 : Math.min(claim.durationMs * dutyFactor, maxPauseMs);
    this.#nextFullAt = nowMs + pauseMs;
    for (const [targetId, { seenAt }] of this.#queues) {
      if (seenAt + forgetAfterMs > nowMs && this.#queues.size <= maxQueues) break;
      if (!isInFlight(targetId)) this.#queues.delete(targetId);
    }
  }
}
