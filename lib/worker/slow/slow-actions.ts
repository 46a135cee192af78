import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { holdAction } from "#lib/db/actions/action-control.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { FinishedRun } from "#lib/db/queue/finish-runs.ts";

/**
 * The number of slow runs in a row after which an action is held. A run is slow if its transform or
 * template was stopped because it took too long.
 */
const holdAfter = 5;
const maxKnown = 10_000;

type RunEnd = Pick<FinishedRun, "targetId" | "kind" | "version" | "next">;

const slowCodes: ReadonlySet<string> = new Set(["transform_too_slow", "mapping_too_slow"]);

/**
 * Holds an action whose code is too slow in several runs in a row: each of them uses a thread for
 * as long as its limit allows, without a result. Each worker counts its own runs.
 */
export class SlowActions {
  readonly #db: SqlStatements;
  /** The number of slow runs in a row, by action. */
  readonly #inRow = new Map<string, number>();

  constructor(db: SqlStatements) {
    this.#db = db;
  }

  async record({ targetId, kind, version, next }: RunEnd): Promise<void> {
    if (kind === "send") return;
    const isSlow = next.reason !== null && slowCodes.has(next.reason.code);
    const count = isSlow ? (this.#inRow.get(targetId) ?? 0) + 1 : 0;
    this.#inRow.delete(targetId);
    if (count === 0) return;
    if (count < holdAfter || version === undefined) {
      if (this.#inRow.size >= maxKnown) this.#inRow.clear();
      this.#inRow.set(targetId, count);
      return;
    }
    try {
      const reason = `${next.reason?.detail ?? ""} That was the ${holdAfter}th run in a row.`;
      if (await holdAction(this.#db, targetId, version, reason))
        log.warn("action.held", { actionId: targetId, code: next.reason?.code });
    } catch (error) {
      // The next slow run holds it.
      this.#inRow.set(targetId, holdAfter - 1);
      log.warn("action.not_held", { actionId: targetId, error: toError(error) });
    }
  }
}
