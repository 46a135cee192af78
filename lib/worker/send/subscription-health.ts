import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";
import {
  recordSendOutcomes,
  type SendOutcome,
} from "#lib/db/subscriptions/record-send-outcomes.ts";
import type { CallResult } from "#lib/net/call-result.ts";

type NextState = FinishedRun["next"];

/**
 * The time in which an unchanged outcome isn't written again. Other workers may have seen another
 * one.
 */
const repeatMs = 60_000;
const maxKnown = 20_000;

/**
 * Remembers how each subscription is doing and writes changes: the time since which every call has
 * failed, and a receiver that wants no more events (410). Most calls write nothing.
 */
export class SubscriptionHealth {
  readonly #db: SqlDatabase;
  readonly #known = new Map<
    string,
    { readonly outcome: SendOutcome["outcome"]; readonly at: number }
  >();
  #waiting = new Map<string, SendOutcome>();
  #isWriting = false;

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  /** Records the result of a call, unless we canceled it. `nowMs` may be any monotonic clock. */
  record(
    {
      targetId,
      accountId,
      targetVersion: version,
    }: Pick<ClaimedRun, "targetId" | "accountId" | "targetVersion">,
    next: NextState,
    call: CallResult,
    nowMs: number,
  ): void {
    if (!call.ok && call.error.code === "cancelled") return;
    const sent = { subscriptionId: targetId, accountId, version, outcome: toOutcome(next) };
    const { subscriptionId, outcome } = sent;
    const known = this.#known.get(subscriptionId);
    // After a 410, someone may have enabled it again.
    if (outcome !== "gone" && known?.outcome === outcome && nowMs - known.at < repeatMs) return;
    // Keep the most recent one last.
    this.#known.delete(subscriptionId);
    this.#known.set(subscriptionId, { outcome, at: nowMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    // A 410 that isn't written yet must not be lost to another call that ended a moment later.
    if (outcome === "gone" || this.#waiting.get(subscriptionId)?.outcome !== "gone")
      this.#waiting.set(subscriptionId, sent);
    void this.#write();
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()];
      this.#waiting = new Map();
      try {
        for (const { subscriptionId, code } of await recordSendOutcomes(this.#db, batch))
          log.warn("subscription.disabled", { subscriptionId, code });
      } catch (error) {
        // The next call of the same subscription writes it.
        for (const { subscriptionId } of batch) this.#known.delete(subscriptionId);
        log.warn("subscriptions.not_recorded", { error: toError(error) });
      }
    }
    this.#isWriting = false;
  }
}

function toOutcome(next: NextState): SendOutcome["outcome"] {
  if (next.state === "succeeded") return "succeeded";
  return next.reason?.code === "gone" ? "gone" : "failed";
}
