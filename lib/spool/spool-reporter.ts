import { logCounted } from "#lib/base/log-counted.ts";
import type { SpoolReport } from "#lib/db/spool/spool-reports.ts";
import { reasonOf } from "./drain-batches.ts";
import type { Spool } from "./spool.ts";

const everyMs = 2_000;
/** Another process that shares a queue may have told something older meanwhile. */
const againAfterMs = 60_000;

type Reported = Pick<Spool, "state" | "identity" | "refresh">;

/** Tells the database what waits, for the dashboard: at the start, and whenever it has changed. */
export class SpoolReporter {
  readonly #spool: Reported;
  readonly #record: (report: SpoolReport) => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #last = { text: "", atMs: 0 };
  #reporting: Promise<void> = Promise.resolve();

  constructor(spool: Reported, record: (report: SpoolReport) => Promise<void>) {
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
    try {
      await this.#spool.refresh();
      const { waiting, oldestAtMs, setAside, asideNames } = this.#spool.state;
      const report = { ...this.#spool.identity, waiting, oldestAtMs, setAside, asideNames };
      const text = JSON.stringify(report);
      const nowMs = performance.now();
      if (text === this.#last.text && nowMs < this.#last.atMs + againAfterMs) return;
      await this.#record(report);
      this.#last = { text, atMs: nowMs };
    } catch (error) {
      // The database is away. The next report says how it is then.
      logCounted("warn", "spool.not_reported", { reason: reasonOf(error) });
    }
  }
}
