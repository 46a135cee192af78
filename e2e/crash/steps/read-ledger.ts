import { Pool, type PoolConfig } from "pg";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { HostClient } from "#lib/db/postgres/hosts/host-client.ts";

/** An attempt of a step or item: its idempotency key and its number. */
export type LedgerEntry = {
  readonly key: string;
  readonly state: string;
  readonly attempt: number;
};

export type StoredRun = {
  readonly id: string;
  readonly eventId: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attemptCount: number;
  /** The number of attempts of its steps and items in the ledger. */
  readonly ledgerAttempts: number;
};

export type HeldStep = {
  readonly runId: string;
  readonly step: string;
  readonly key: string;
  readonly attempt: number;
};

/** Reads the records of the database. */
export type LedgerReader = {
  /** The ledger of the open runs, once nothing that a killed worker has sent is still running. */
  readOpen(): Promise<ReadonlyMap<string, LedgerEntry>>;
  readHeld(): Promise<readonly HeldStep[]>;
  /** Runs that have not ended. */
  countOpen(): Promise<number>;
  /** Runs that failed because three workers in a row died with them. */
  readQuarantined(): Promise<readonly string[]>;
  /** The attempts with `outcome_unknown` in the history. */
  readUnknown(): Promise<readonly LedgerEntry[]>;
  readRuns(): Promise<readonly StoredRun[]>;
  readEventIds(): Promise<readonly string[]>;
  close(): Promise<void>;
};

export function openLedgerReader(databaseUrl: string): LedgerReader {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: "crash ledger",
    max: 2,
    connectionTimeoutMillis: 5_000,
    Client: HostClient,
  } as PoolConfig);
  // A session that ends while it is idle.
  pool.on("error", () => {});
  const read = async <Row extends object>(sql: string) => (await pool.query<Row>(sql)).rows;
  return {
    async readOpen() {
      await waitUntil("the killed worker's sessions to end", 10_000, async () => {
        const rows = await read(
          "select from pg_stat_activity where application_name like 'catchment worker%'",
        );
        return rows.length === 0 ? true : undefined;
      });
      const rows = await read<LedgerEntry>(`
        select ${keySql}, state, attempt_count as attempt from run_steps s
        where id in (select id from queue)`);
      return new Map(rows.map((row) => [row.key, row]));
    },
    readHeld: () =>
      read<HeldStep>(`
        select id as "runId", key as step, id || '-' || key as key, attempt_count as attempt
        from run_steps where state = 'unknown'`),
    countOpen: async () => {
      const [row] = await read<{ open: number }>("select count(*)::int as open from queue");
      return row?.open ?? 0;
    },
    readQuarantined: async () => {
      const sql = "select id from runs where state = 'failed' and reason_code = 'worker_died'";
      return (await read<{ id: string }>(sql)).map(({ id }) => id);
    },
    readUnknown: () =>
      read<LedgerEntry>(`
        select run_id || '-' || step || coalesce('-' || item, '') as key, 'unknown' as state, number as attempt
        from attempts where error_code = 'outcome_unknown'`),
    readRuns: () =>
      read<StoredRun>(`
        with every as (
          select id, delivery_id, 'open' as state, reason_detail, attempt_count from queue
          union all
          select id, delivery_id, state, reason_detail, attempt_count from runs
        )
        select r.id, d.event_id as "eventId", r.state, r.reason_detail as reason, r.attempt_count as "attemptCount",
          (select coalesce(sum(attempt_count), 0)::int from run_steps s where s.id = r.id) as "ledgerAttempts"
        from every r join deliveries d on d.id = r.delivery_id`),
    readEventIds: async () =>
      (await read<{ id: string }>("select public_id as id from events")).map(({ id }) => id),
    close: () => pool.end(),
  };
}

/** The idempotency key as the product makes it. */
const keySql = "s.id || '-' || s.key || case when item = -1 then '' else '-' || item end as key";
