import type { ActionLimit } from "#lib/db/queue/claim-runs.ts";
import type { CallResult } from "#lib/net/call-result.ts";

/** An action is fast if its calls usually, and recently, ended within this time. */
const quickMs = 1_000;
/** The weight of a new call is one in this many. */
const smoothing = 8;
/** Enough to notice that a receiver is back. */
const minLimit = 4;
const maxActions = 500;

type Known = { limit: number; averageMs: number };

/**
 * What a worker learns about each action from its calls: how many may be in flight while they fail,
 * and whether it responds quickly. See docs/decisions/runs/032.
 */
export class ActionLimits {
  readonly #maxLimit: number;
  readonly #known = new Map<string, Known>();

  /** @param maxLimit for an action that doesn't fail */
  constructor(maxLimit: number) {
    this.#maxLimit = maxLimit;
  }

  /**
   * A failed call lowers the limit by one and any other raises it by one, so it falls if more than
   * half fail.
   */
  learn(actionId: string, result: CallResult): void {
    if (!result.ok && !isFailing(result)) return;
    const known = this.#known.get(actionId) ?? {
      limit: this.#maxLimit,
      averageMs: result.durationMs,
    };
    const limit = known.limit + (isFailing(result) ? -1 : 1);
    known.limit = Math.max(minLimit, Math.min(limit, this.#maxLimit));
    known.averageMs += (result.durationMs - known.averageMs) / smoothing;
    // Most recent last.
    this.#known.delete(actionId);
    this.#known.set(actionId, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxActions && oldest !== undefined) this.#known.delete(oldest);
  }

  /**
   * @param inFlightSinceMs start of the oldest run in flight, by action, on the clock of `nowMs`
   */
  list(nowMs: number, inFlightSinceMs: ReadonlyMap<string, number>): ActionLimit[] {
    return Array.from(this.#known, ([actionId, { limit, averageMs }]) => ({
      actionId,
      // An action's own setting may allow more than the usual maximum.
      limit: limit < this.#maxLimit ? limit : null,
      isQuick: averageMs < quickMs && nowMs - (inFlightSinceMs.get(actionId) ?? nowMs) < quickMs,
    }));
  }
}

/**
 * No response, or one that says the receiver is overloaded. Calls that we cancelled don't count.
 */
function isFailing(result: CallResult): boolean {
  if (result.ok) return overloaded.has(result.response.status);
  return !ownCodes.has(result.error.code);
}

const overloaded: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const ownCodes: ReadonlySet<string> = new Set([
  "cancelled",
  "blocked",
  "self_call",
  "invalid_request",
]);
