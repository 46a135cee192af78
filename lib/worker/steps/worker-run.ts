import { wholeStep } from "#lib/core/steps/collect-results.ts";
import type { StepRun } from "#lib/core/steps/step-driver.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import type { CallResult } from "#lib/net/call-result.ts";
import type { ExecuteOptions } from "../action/execute-options.ts";
import type { StepsConfig } from "../config/action-config.ts";
import type { RunLedger, RunLedgerOptions } from "./run-ledger.ts";
import type { StepContext } from "./step-context.ts";

export type StepsOptions = ExecuteOptions &
  RunLedgerOptions & {
    readonly db: SqlDatabase;
    /** Checks events that steps publish. */
    readonly checkEvents: EventCatalog["check"];
    /** No further step starts after this. A call in flight has `signal`. */
    readonly stopping: AbortSignal;
  };

/** A run that a worker holds, with everything that its steps need. */
export type WorkerRun = Omit<StepsOptions, "ledger"> & {
  readonly run: ClaimedRun;
  readonly context: StepContext;
  readonly config: StepsConfig;
  readonly ledger: RunLedger;
  /**
   * True if the run ended at a failed step and a user retried it. If its worker died before the run
   * had ended, the run has made a call since its last retry.
   */
  readonly isRetriedManually: boolean;
  readonly onCalled: (result: CallResult) => void;
};

/** The number under which the ledger has a step or an item of it. */
export function placeOf({ item }: StepRun): number {
  return item?.index ?? wholeStep;
}
