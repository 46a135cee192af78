import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { leaseOf, type NewStep, recordSteps } from "#lib/db/queue/record-steps.ts";
import { WriteQueue } from "../results/write-queue.ts";

type Waiting = { readonly step: NewStep; readonly resolve: (isStored: boolean) => void };

/** Writes the state of steps. The next step starts when this one is stored. */
export class StepLedger {
  readonly #writes: WriteQueue<Waiting>;
  readonly #waiting = new Set<Waiting>();

  constructor(db: SqlDatabase) {
    this.#writes = new WriteQueue<Waiting>({
      db,
      write: (to, batch) =>
        recordSteps(
          to,
          batch.map(({ step }) => step),
        ),
      onWritten: (batch, lost) => {
        for (const each of batch) this.#resolve(each, !lost.has(leaseOf(each.step.run)));
      },
      runIdOf: ({ step }) => leaseOf(step.run),
      charsOf: ({ step: { attempt, resultJson } }) =>
        (attempt?.requestJson?.length ?? 0) +
        (attempt?.responseJson?.length ?? 0) +
        (resultJson?.length ?? 0),
    });
  }

  /** Records a step. False: the run has been taken over or canceled, so its work must stop. */
  record(step: NewStep): Promise<boolean> {
    return new Promise((resolve) => {
      const each = { step, resolve };
      this.#waiting.add(each);
      this.#writes.add(each);
    });
  }

  /** Drops unwritten records, at the end of a process. */
  close(): void {
    this.#writes.close();
    for (const each of this.#waiting) this.#resolve(each, false);
  }

  #resolve(each: Waiting, isStored: boolean): void {
    this.#waiting.delete(each);
    each.resolve(isStored);
  }
}
