import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";

type Reservation = {
  /** The time until the call may be made. 0: now. */
  readonly waitMs: number;
  /**
   * True if it waits because the receiver is down, and has to ask again. Otherwise, the call is
   * reserved.
   */
  readonly isDown: boolean;
  /** True if the outcome counts for the destination's breaker. */
  readonly hasBreaker: boolean;
};

/**
 * Reserves the next call that the rate of a destination allows, for a step of a run: calls of steps
 * share it with the claim. While the destination's breaker is open, one call goes through at each
 * next try.
 */
export async function reserveCall(
  db: SqlDatabase,
  { accountId, destinationId, runId }: { accountId: string; destinationId: string; runId: string },
): Promise<Reservation> {
  const [row] = await db.$queryRaw<Reservation[]>`
    with destination as materialized (
      select id, rate_seconds::float8 / rate_count as seconds_each, breaker_failures is not null as has_breaker,
        breaker_open_seconds * interval '1 s' as pause
      from destinations where id = ${destinationId}::uuid and account_id = ${accountId}::uuid
    ), probing as (
      update target_breakers b set probe_run_id = ${runId}::uuid, next_try_at = now() + d.pause
      from destination d
      where b.target_id = d.id and d.has_breaker and down_since is not null and ramp is null and next_try_at <= now()
      returning b.target_id
    ), held as materialized (
      select b.next_try_at from target_breakers b join destination d on d.id = b.target_id
      where d.has_breaker and down_since is not null and ramp is null and not exists (select from probing)
    ), reserved as (
      insert into target_rates as rate (target_id, next_at)
      select id, now() + seconds_each * interval '1 s' from destination
      where seconds_each is not null and not exists (select from held)
      on conflict (target_id) do update set next_at = greatest(rate.next_at, now() - interval '1 s')
        + (select seconds_each from destination) * interval '1 s'
      returning next_at - (select seconds_each from destination) * interval '1 s' as at
    )
    select
      greatest(0, coalesce(
        (select date_part('epoch', greatest(next_try_at, now() + interval '1 s') - now()) * 1000 from held),
        (select date_part('epoch', at - now()) * 1000 from reserved), 0)) as "waitMs",
      exists (select from held) as "isDown", coalesce((select has_breaker from destination), false) as "hasBreaker"`;
  return row ?? { waitMs: 0, isDown: false, hasBreaker: false };
}
