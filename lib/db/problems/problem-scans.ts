import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The rows that are looked at for problems. Each has its own progress. */
export type ScanSource =
  | "failed_runs"
  | "failed_attempts"
  | "rejected_deliveries"
  | "rejected_counts";

/** A time span: the start is exclusive, the end is inclusive. */
export type ScanSpan = { readonly after: Date; readonly until: Date };

/** No batch looks at a longer time, so that a batch after a long stop stays small. */
const maxSpanMs = 3_600_000;

/**
 * Locks the progress of a source until the transaction ends, and says what to look at next. What is
 * counted and how far it got are committed together, so nothing is counted twice.
 *
 * Rows become visible after the time that they contain. Those of our own statements contain the
 * start of their transaction, so the scan stays before the oldest one that writes, for at most a
 * minute. `settleMs` is for times from another machine's clock.
 *
 * @returns null if another process has it, or there is nothing to look at yet
 */
export async function lockScan(
  tx: SqlStatements,
  source: ScanSource,
  settleMs: number,
): Promise<ScanSpan | null> {
  const [row] = await tx.$queryRaw<ScanSpan[]>`
    select scanned_until as after,
      date_trunc('milliseconds', least(
        now() - ${settleMs}::int * interval '1 ms',
        greatest(now() - interval '1 minute', (
          select coalesce(min(xact_start) - interval '1 ms', now()) from pg_stat_activity
          where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()
        )),
        scanned_until + ${maxSpanMs}::int * interval '1 ms'
      ))::timestamptz as until
    from problem_scans where source = ${source} for update skip locked`;
  return row === undefined || row.until <= row.after ? null : row;
}

export async function endScan(tx: SqlStatements, source: ScanSource, until: Date): Promise<void> {
  await tx.$executeRaw`update problem_scans set scanned_until = ${until} where source = ${source}`;
}
