import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/** The earlier counts of an hour, as rows in JSON. */
type KeptCounts = { readonly deliveries: string; readonly runs: string };

/**
 * Reads the counts that a recount must not lose with the rows that retention has removed: the hook's own,
 * or after a day at the earliest, that of rejected deliveries and handshakes.
 */
export async function readKeptCounts(tx: SqlStatements, hour: Date): Promise<KeptCounts> {
  const [row] = await tx.$queryRaw<KeptCounts[]>`
    with retained as materialized (
      select id from hooks where retention_days is not null or retention_count is not null
    )
    select
      (select coalesce(json_agg(found), '[]')::text from (
        select s.*, retained.id is not null or s.status in ('rejected', 'handshake') and s.hour < now() - interval '1 day' as is_kept
        from delivery_statistics s left join retained on retained.id = s.hook_id where s.hour = ${hour} and s.status <> 'pending'
      ) found) as deliveries,
      (select coalesce(json_agg(s), '[]')::text from run_statistics s join retained on retained.id = s.hook_id
        where s.hour = ${hour}) as runs`;
  return row ?? { deliveries: "[]", runs: "[]" };
}

/**
 * Puts counts back after a recount that found less than there was: retention has removed rows. What is
 * open is never removed, so that is as it was counted now.
 */
export async function restoreKeptCounts(
  tx: SqlStatements,
  hour: Date,
  { deliveries, runs }: KeptCounts,
): Promise<void> {
  if (deliveries !== "[]")
    await tx.$executeRaw`
      with kept as materialized (
        select * from json_to_recordset(${deliveries}::json)
          as k(account_id uuid, hook_id uuid, status text, count bigint, minutes bigint, is_kept boolean)
      )
      insert into delivery_statistics as known (account_id, hour, hook_id, status, count, minutes)
      select account_id, ${hour}, hook_id, status, count, minutes from kept
      where is_kept and (select sum(count) from kept k where k.hook_id = kept.hook_id) > (
        select coalesce(sum(s.count), 0) from delivery_statistics s
        where s.account_id = kept.account_id and s.hour = ${hour} and s.hook_id = kept.hook_id and s.status <> 'pending')
      on conflict (account_id, hour, hook_id, status) do update
        set count = greatest(known.count, excluded.count), minutes = known.minutes | excluded.minutes`;
  if (runs !== "[]")
    await tx.$executeRaw`
      with kept as materialized (
        select * from json_to_recordset(${runs}::json)
          as k(account_id uuid, hook_id uuid, target_id uuid, state text, count bigint)
      )
      insert into run_statistics as known (account_id, hour, target_id, state, hook_id, count)
      select account_id, ${hour}, target_id, state, hook_id, count from kept
      where state not in ('queued', 'retrying') and (select sum(count) from kept k where k.target_id = kept.target_id) > (
        select coalesce(sum(s.count), 0) from run_statistics s
        where s.account_id = kept.account_id and s.hour = ${hour} and s.target_id = kept.target_id)
      on conflict (account_id, hour, target_id, state) do update set count = greatest(known.count, excluded.count)`;
}
