import type { ActionLimit } from "#lib/db/queue/claim/claim-runs.ts";
import type { CallResult } from "#lib/net/call-result.ts";

/** An action is fast if its calls usually, and recently, ended within this time. */
const quickMs = 1_000;
/** The weight of a new call is one in this many. */
const smoothing = 8;
/** The lowest limit, which is enough to notice that a receiver is back. */
const minLimit = 4;
const maxActions = 500;

type Known = { limit: number; averageMs: number };

/**
 * A worker learns two things about an action from its calls: how many may be in flight while they fail,
 * and whether it responds quickly. See docs/decisions/runs/032.
 */
export class ActionLimits {
  readonly #maxLimit: number;
  readonly #known = new Map<string, Known>();

  /** @param maxLimit the limit of an action that doesn't fail */
  constructor(maxLimit: number) {
    this.#maxLimit = maxLimit;
  }

  /**
   * A failed call lowers the limit by one (`step`), so it falls if more than half fail, or to its
   * half (`halve`): additive increase, multiplicative decrease. Any other raises it by one.
   */
  learn(targetId: string, result: CallResult, decrease: "step" | "halve" = "step"): void {
    if (!result.ok && !isFailing(result)) return;
    const known = this.#known.get(targetId) ?? {
      limit: this.#maxLimit,
      averageMs: result.durationMs,
    };
    const lower = decrease === "step" ? known.limit - 1 : Math.floor(known.limit / 2);
    const limit = isFailing(result) ? lower : known.limit + 1;
    const least = decrease === "step" ? minLimit : 1;
    known.limit = Math.max(least, Math.min(limit, this.#maxLimit));
    known.averageMs += (result.durationMs - known.averageMs) / smoothing;
    // Keep the most recent one last.
    this.#known.delete(targetId);
    this.#known.set(targetId, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxActions && oldest !== undefined) this.#known.delete(oldest);
  }

  /**
   * @param inFlightSinceMs start of the oldest run in flight, by action, on the clock of `nowMs`
   */
  list(nowMs: number, inFlightSinceMs: ReadonlyMap<string, number>): ActionLimit[] {
    return Array.from(this.#known, ([targetId, { limit, averageMs }]) => ({
      targetId,
      // An action's own setting may allow more than the usual maximum.
      limit: limit < this.#maxLimit ? limit : null,
      isQuick: averageMs < quickMs && nowMs - (inFlightSinceMs.get(targetId) ?? nowMs) < quickMs,
    }));
  }
}

/**
 * True if there was no response, or one that says the receiver is overloaded. Calls that we
 * canceled don't count.
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
  "rejected",
  "undelivered",
]);
