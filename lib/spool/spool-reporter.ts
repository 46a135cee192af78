import { hostname } from "node:os";
import type { SpoolReport } from "#lib/db/spool/spool-reports.ts";
import { logCounted } from "#lib/log-counted.ts";
import { reasonOf } from "./drain-batches.ts";
import type { Spool } from "./spool.ts";

const everyMs = 2_000;

/** Tells the database what waits, for the dashboard: at the start, and whenever it has changed. */
export class SpoolReporter {
  readonly #spool: Pick<Spool, "state" | "identity">;
  readonly #record: (report: SpoolReport) => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #last = "";
  #reporting: Promise<void> = Promise.resolve();

  constructor(
    spool: Pick<Spool, "state" | "identity">,
    record: (report: SpoolReport) => Promise<void>,
  ) {
    this.#spool = spool;
    this.#record = record;
    this.#timer = setInterval(() => this.#begin(), everyMs);
    this.#begin();
  }

  /** Reports what is left. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
    await this.#report();
  }

  #begin(): void {
    this.#reporting = this.#reporting.then(() => this.#report());
  }

  async #report(): Promise<void> {
    const { deliveries: waiting, oldestAtMs, setAside } = this.#spool.state;
    const report = { ...this.#spool.identity, host: hostname(), waiting, oldestAtMs, setAside };
    const text = JSON.stringify(report);
    if (text === this.#last) return;
    try {
      await this.#record(report);
      this.#last = text;
    } catch (error) {
      // The database is away. The next report says how it is then.
      logCounted("warn", "spool.not_reported", { reason: reasonOf(error) });
    }
  }
}
