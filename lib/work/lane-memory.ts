import type { Claim, KnownLane } from "#lib/db/queue/claim-runs.ts";

/** Up to this, looking everywhere costs nothing worth saving. */
const cheapMs = 8;
/** Of the time, at most a tenth goes into looking everywhere. */
const dutyFactor = 9;
const longestPauseMs = 250;
const forgetAfterMs = 10_000;
const mostLanes = 500;

/**
 * Decides how far a claim looks. As a rule over all lanes from their beginning; where that has become dear (many finished runs since
 * the last vacuum) most claims look only at lanes that runs came from lately, from where the last one was found on.
 * What stands elsewhere waits for the next look at everything, a quarter of a second at most.
 */
export class LaneMemory {
  readonly #lanes = new Map<string, { readonly lane: KnownLane; seenAt: number }>();
  #nextFullAt = 0;

  /** Undefined: look everywhere. `nowMs` may be any clock that doesn't step back. */
  choose(nowMs: number): readonly KnownLane[] | undefined {
    if (nowMs >= this.#nextFullAt || this.#lanes.size === 0) return undefined;
    return Array.from(this.#lanes.values(), ({ lane }) => lane);
  }

  /** @param isHeld whether runs of an action are under way: its lane stays known, because they count for what its account may have */
  learn(claim: Claim, wasFull: boolean, nowMs: number, isHeld: (actionId: string) => boolean): void {
    for (const lane of claim.lanes) {
      // The latest seen come last.
      this.#lanes.delete(lane.actionId);
      this.#lanes.set(lane.actionId, { lane, seenAt: nowMs });
    }
    if (!wasFull) return;
    const pauseMs = claim.tookMs <= cheapMs ? 0 : Math.min(claim.tookMs * dutyFactor, longestPauseMs);
    this.#nextFullAt = nowMs + pauseMs;
    for (const [actionId, { seenAt }] of this.#lanes) {
      if (seenAt + forgetAfterMs > nowMs && this.#lanes.size <= mostLanes) break;
      if (!isHeld(actionId)) this.#lanes.delete(actionId);
    }
  }
}
