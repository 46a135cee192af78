import type { Database } from "#lib/db/postgres/client.ts";
import { requireId } from "#lib/db/postgres/not-found.ts";

/** A count that stops at `maxCounted`, so that a hook with millions of rows isn't read through. */
type BoundedCount = { readonly count: number; readonly isMore: boolean };

type HookContents = {
  readonly deliveries: BoundedCount;
  readonly actions: number;
  readonly secrets: number;
  /** Runs that have not ended, including held ones while the hook is paused. */
  readonly openRuns: BoundedCount;
  /** The provider at which Catchment keeps it registered. Null: none. */
  readonly registeredAt: string | null;
};

/** Deliveries stored unverified while the hook awaited its secret. */
export async function countPendingDeliveries(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<BoundedCount> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from (
      select from hooks join deliveries on deliveries.hook_id = hooks.id and deliveries.status = 'pending'
      where hooks.id = ${requireId("hook", hookId)}::uuid and hooks.account_id = ${accountId}::uuid and hooks.deleted_at is null
      limit ${maxCounted + 1}::int
    ) found`;
  return toBounded(row?.count ?? 0);
}

const maxCounted = 10_000;

/**
 * Counts the rows that are deleted with a hook. All zero if it is deleted already or belongs to
 * another account.
 */
export async function countHookContents(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<HookContents> {
  const id = requireId("hook", hookId);
  const [row] = await db.$queryRaw<
    {
      deliveries: number;
      actions: number;
      secrets: number;
      openRuns: number;
      registeredAt: string | null;
    }[]
  >`
    with hook as (
      select id from hooks where id = ${id}::uuid and account_id = ${accountId}::uuid and deleted_at is null
    )
    select
      (select count(*)::int from (
        select from hook join deliveries on deliveries.hook_id = hook.id limit ${maxCounted + 1}::int
      ) found) as deliveries,
      (select count(*)::int from hook join actions on actions.hook_id = hook.id where actions.deleted_at is null) as actions,
      (select r.provider from hook join registrations r on r.hook_id = hook.id) as "registeredAt",
      (select count(*)::int from hook join hook_secrets on hook_secrets.hook_id = hook.id) as secrets,
      (select count(*)::int from (
        select from hook
        join actions on actions.hook_id = hook.id and actions.deleted_at is null
        cross join lateral (
          select from queue
          where (account_id, target_id) >= (actions.account_id, actions.id) and (account_id, target_id) <= (actions.account_id, actions.id)
          order by account_id, target_id limit ${maxCounted + 1}::int
        ) open
        limit ${maxCounted + 1}::int
      ) found) as "openRuns"`;
  const { deliveries, actions, secrets, openRuns, registeredAt } = row ?? {
    deliveries: 0,
    actions: 0,
    secrets: 0,
    openRuns: 0,
    registeredAt: null,
  };
  const counted = { deliveries: toBounded(deliveries), actions, secrets };
  return { ...counted, openRuns: toBounded(openRuns), registeredAt };
}

function toBounded(found: number): BoundedCount {
  return { count: Math.min(found, maxCounted), isMore: found > maxCounted };
}
