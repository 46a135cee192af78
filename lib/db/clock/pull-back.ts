import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * Once a clock that was ahead is set back, what was put off while it was ahead would wait for as long
 * as the clock was off. Brings its times back. A delay that began before stays as it is.
 */
export async function pullBack(tx: SqlStatements, backMs: number): Promise<void> {
  const ms = Math.round(backMs);
  await tx.$executeRaw`
    update queue q set due_at = greatest(now(), due_at - ${ms}::float8 * interval '1 ms')
    where due_at > now() and reason_code is distinct from 'outcome_unknown' and (
      reason_code is distinct from 'delay'
      or exists (select from run_steps s where s.id = q.id and s.state = 'waiting' and s.started_at > now())
    )`;
  await tx.$executeRaw`
    update run_steps set due_at = greatest(now(), due_at - ${ms}::float8 * interval '1 ms')
    where id in (select id from queue) and due_at > now() and (state = 'retrying' or state = 'waiting' and started_at > now())`;
  await tx.$executeRaw`
    update target_rates set next_at = greatest(now(), next_at - ${ms}::float8 * interval '1 ms') where next_at > now()`;
  await tx.$executeRaw`
    update target_breakers
    set next_try_at = case when next_try_at > now() then greatest(now(), next_try_at - ${ms}::float8 * interval '1 ms') else next_try_at end,
      down_since = least(down_since, now()), failed_at = array(select at from unnest(failed_at) as at where at <= now())
    where next_try_at > now() or down_since > now() or now() < any (failed_at)`;
  await tx.$executeRaw`
    update bulk_jobs set next_at = greatest(now(), next_at - ${ms}::float8 * interval '1 ms')
    where finished_at is null and next_at > now()`;
  await tx.$executeRaw`
    update alerts set due_at = least(due_at, greatest(now(), due_at - ${ms}::float8 * interval '1 ms')),
      leased_until = least(leased_until, greatest(now(), leased_until - ${ms}::float8 * interval '1 ms'))
    where state in ('held', 'waiting') and (state = 'waiting' or created_at > now()) and (due_at > now() or leased_until > now())`;
  await tx.$executeRaw`
    update audit_receivers set due_at = least(due_at, greatest(now(), due_at - ${ms}::float8 * interval '1 ms')),
      leased_until = least(leased_until, greatest(now(), leased_until - ${ms}::float8 * interval '1 ms'))
    where due_at > now() or leased_until > now()`;
}
