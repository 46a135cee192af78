import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { BreakerState } from "#lib/schema/field/breaker.ts";

/**
 * Reads the breaker of an action or a destination, and whether an action is held. The caller knows
 * that it belongs to the account.
 */
export async function readBreaker(db: SqlStatements, targetId: string): Promise<BreakerState> {
  const [held] = await db.$queryRaw<{ heldSince: Date; reason: string }[]>`
    select held_since as "heldSince", coalesce(held_reason, '') as reason from actions
    where id = ${targetId}::uuid and held_since is not null`;
  if (held !== undefined) return { state: "held", ...held };
  const [row] = await db.$queryRaw<BreakerRow[]>`
    select down_since as "downSince", next_try_at as "nextTryAt", probe_run_id is not null as "isProbing", ramp
    from target_breakers where target_id = ${targetId}::uuid and down_since is not null`;
  return row === undefined ? { state: "closed" } : toBreakerState(row);
}

type BreakerRow = {
  readonly downSince: Date;
  readonly nextTryAt: Date;
  readonly isProbing: boolean;
  readonly ramp: number | null;
};

function toBreakerState({ downSince, nextTryAt, isProbing, ramp }: BreakerRow): BreakerState {
  if (ramp !== null) return { state: "recovering", downSince, concurrency: ramp };
  return { state: isProbing ? "probing" : "open", downSince, nextTryAt };
}

/** Lets runs start again, and forgets failures. The caller checks the account, and wakes workers. */
export async function closeBreaker(db: SqlStatements, targetId: string): Promise<void> {
  await db.$executeRaw`
    update actions set held_since = null, held_reason = null
    where id = ${targetId}::uuid and held_since is not null`;
  await db.$executeRaw`
    update target_breakers set failed_at = '{}', down_since = null, next_try_at = null, probe_run_id = null, ramp = null
    where target_id = ${targetId}::uuid`;
}
