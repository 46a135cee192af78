import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

/** The request of an earlier run, for a run that sends it again as it was. */
export type SentRequest = {
  /** The request in the history, without secrets. Null: it is no longer stored. */
  readonly requestJson: string | null;
  /** When it was built, in ms since the epoch. */
  readonly sentAtMs: number;
  /** The version of the action that built it. Null: it is from before versions existed. */
  readonly version: number | null;
  /** The request's template in that version. Null: that version had steps, or is gone. */
  readonly templateJson: string | null;
};

/** Loads sent requests, by run. Most runs send what the current action says, and have no entry. */
export async function loadSentRequests(
  db: SqlDatabase,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, SentRequest>> {
  if (runIds.length === 0) return new Map();
  const rows = await db.$queryRaw<(SentRequest & { readonly id: string })[]>`
    select made.run_id as id, sent.request as "requestJson", sent.version,
      coalesce(round(date_part('epoch', sent.started_at) * 1000), 0) as "sentAtMs", v.content ->> 'request' as "templateJson"
    from unnest(${[...runIds]}::uuid[]) as wanted(id)
    join bulk_job_runs made on made.run_id = wanted.id and made.sent_by is not null
    left join lateral (
      select target_id, request, started_at, version from runs where runs.id = made.sent_by limit 1
    ) sent on true
    left join action_versions v on v.action_id = sent.target_id and v.version = sent.version`;
  return new Map(rows.map(({ id, ...sent }) => [id, sent]));
}
