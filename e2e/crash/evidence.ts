import { readFileSync } from "node:fs";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";

/** All the facts about one run of the harness. */
export type Evidence = {
  readonly acknowledged: readonly { readonly eventId: string; readonly bodyHash: string }[];
  readonly deliveries: readonly StoredDelivery[];
  readonly runs: readonly StoredRun[];
  /** Runs that have attempts and are in no table. */
  readonly lostRunIds: readonly string[];
  readonly calls: readonly SinkCall[];
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestResponseMs: number;
};

export type StoredDelivery = {
  readonly id: string;
  readonly eventId: string;
  readonly status: string;
  readonly bodyHash: string;
};

type StoredRun = {
  readonly id: string;
  readonly deliveryId: string;
  readonly state: string;
  readonly reason: string | null;
  /** Attempts with a response from the receiver. */
  readonly answered: number;
  /** Attempts that may or may not have reached it: `outcome_unknown`, and failed connections. */
  readonly unknown: number;
  /** The number of attempts that the run itself counts. */
  readonly attemptCount: number;
  /** The numbers of its stored attempts that are not late, in order. */
  readonly numbers: readonly number[];
};

export type SinkCall = {
  /** Unix time. */
  readonly atMs: number;
  readonly idempotencyKey: string;
  readonly eventId: string;
  readonly bodyHash: string;
};

export function readLedger(path: string): Evidence["acknowledged"] {
  return readLines(path).map(([eventId = "", bodyHash = ""]) => ({ eventId, bodyHash }));
}

export function readSinkCalls(path: string): SinkCall[] {
  return readLines(path).map(([at, idempotencyKey = "", eventId = "", bodyHash = ""]) => ({
    atMs: Number(at),
    idempotencyKey,
    eventId,
    bodyHash,
  }));
}

function readLines(path: string): string[][] {
  const lines = readFileSync(path, "utf8").split("\n");
  // Anything after the last line end was cut off while it was written.
  return lines.slice(0, -1).map((line) => line.split("\t"));
}

export async function readStore(
  databaseUrl: string,
): Promise<Pick<Evidence, "deliveries" | "runs" | "lostRunIds">> {
  await using client = await connectTo(databaseUrl);
  const deliveries = await client.query<StoredDelivery>(`
    select id, event_id as "eventId", status, encode(sha256(body), 'hex') as "bodyHash" from deliveries`);
  const runs = await client.query<StoredRun>(`
    with every as (
      select id, delivery_id, case when reason_code is null then 'queued' else 'retrying' end as state,
        reason_detail, attempt_count
      from queue
      union all
      select id, delivery_id, state, reason_detail, attempt_count from runs
    ), tried as (
      select run_id, number, late, response is not null as has_response from attempts
      union all
      select id, attempt_count, false, response is not null from runs where started_at is not null
    )
    select r.id, r.delivery_id as "deliveryId", r.state, r.reason_detail as reason, r.attempt_count as "attemptCount",
      (count(t.run_id) filter (where t.has_response))::int as answered,
      (count(t.run_id) filter (where not t.has_response))::int as unknown,
      coalesce(array_agg(t.number order by t.number) filter (where not t.late), '{}') as numbers
    from every r left join tried t on t.run_id = r.id
    group by r.id, r.delivery_id, r.state, r.reason_detail, r.attempt_count`);
  const lost = await client.query<{ id: string }>(`
    select distinct run_id as id from attempts a
    where not exists (select from queue where id = a.run_id) and not exists (select from runs where id = a.run_id)`);
  const lostRunIds = lost.rows.map(({ id }) => id);
  return { deliveries: deliveries.rows, runs: runs.rows, lostRunIds };
}

/** The number of acknowledged deliveries that aren't stored. */
export async function countMissing(
  databaseUrl: string,
  acknowledged: Evidence["acknowledged"],
): Promise<number> {
  await using client = await connectTo(databaseUrl);
  const { rows } = await client.query<{ missing: number }>(
    `select count(*)::int as missing from (
      select unnest($1::text[]) except select event_id from deliveries where status = 'accepted') as lost`,
    [acknowledged.map(({ eventId }) => eventId)],
  );
  return rows[0]?.missing ?? 0;
}

/** Waits until no run is open. On a timeout, returns the number left instead of throwing. */
export function waitForDrain(databaseUrl: string, timeoutMs: number): Promise<number> {
  return waitForRuns(databaseUrl, Date.UTC(9999, 0), timeoutMs);
}

/** Like `waitForDrain`, for the runs that existed at an instant. */
export async function waitForRuns(
  databaseUrl: string,
  madeBeforeMs: number,
  timeoutMs: number,
): Promise<number> {
  await using client = await connectTo(databaseUrl);
  let open = 0;
  const isDrained = async (): Promise<true | undefined> => {
    const { rows } = await client.query<{ open: number }>(
      "select count(*)::int as open from queue where uuid_v7_ms(id) < $1",
      [madeBeforeMs],
    );
    open = rows[0]?.open ?? 0;
    return open === 0 ? true : undefined;
  };
  await waitUntil("the queue to drain", timeoutMs, isDrained, 100).catch(() => {});
  return open;
}
