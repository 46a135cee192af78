import { mapFew } from "#lib/base/map-few.ts";
import {
  maxAhead,
  type QueueFacts,
  type RunFacts,
  type WhyFacts,
} from "#lib/core/watch/why/why-facts.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { isLockReleased } from "#lib/db/queue/workers.ts";
import { isEnded } from "#lib/schema/act/run-states.ts";
import { type RateLimit, toRateLimit } from "#lib/schema/field/rate-limit.ts";
import type { DeliveryStatus } from "#lib/schema/receive/delivery-status.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import { listRunsOfDelivery } from "./list-runs.ts";
import type { RunRecord } from "./run-record.ts";
import { findRunWait } from "./run-wait.ts";

/** A delivery of the account, and its hook. */
export type WhyDelivery = WhyFacts["delivery"] & {
  readonly id: string;
  readonly hookId: string;
  readonly hookStatus: HookStatus;
  readonly status: DeliveryStatus;
};

type ActionWhyFacts = {
  readonly actionId: string;
  readonly name: string;
  /** The newest run of the delivery and the action. */
  readonly runId: string | null;
  readonly facts: WhyFacts;
};

const maxActions = 200;
/**
 * The maximum time for storing: a delivery is stored with its first runs within seconds, or not at
 * all.
 */
const storedWithinMs = 30_000;

/**
 * Reads why the actions of a hook did or didn't run on one of its deliveries: one action, even if
 * it was deleted, or all that exist.
 */
export async function readWhyFacts(
  db: Database,
  accountId: string,
  delivery: WhyDelivery,
  actionId: string | null,
): Promise<readonly ActionWhyFacts[]> {
  const [actions, runs] = await Promise.all([
    db.$queryRaw<ActionRow[]>`
      select id, name, enabled, created_at as "createdAt", deleted_at as "deletedAt", steps is not null as "hasSteps",
        max_concurrency as "maxConcurrency", rate_count, rate_seconds, now() as now
      from actions
      where hook_id = ${delivery.hookId}::uuid and account_id = ${accountId}::uuid
        and case when ${actionId}::uuid is null then deleted_at is null else id = ${actionId}::uuid end
      order by position, id limit ${maxActions}::int`,
    listRunsOfDelivery(db, accountId, delivery.id),
  ]);
  // Runs are in the order in which they began, so the last one of each action wins.
  const newest = new Map(runs.map((run) => [run.actionId, run]));
  const first = new Map(runs.toReversed().map((run) => [run.actionId, run]));
  const open = [...newest.values()].filter(({ status }) => !isEnded(status));
  const queues = await readQueueFacts(
    db,
    accountId,
    open.map(({ id }) => id),
  );
  return actions.map((row) => {
    const { id, name, now, enabled, createdAt, deletedAt, hasSteps, maxConcurrency } = row;
    const run = newest.get(id);
    const isReplay = run !== undefined && isStartedAgain(run, first.get(id), delivery.receivedAt);
    const rateLimit: RateLimit | null = toRateLimit(row);
    const action = { enabled, createdAt, deletedAt, hasSteps, maxConcurrency, rateLimit };
    const { status, reason, detail, receivedAt, hookStatus } = delivery;
    return {
      actionId: id,
      name,
      runId: run?.id ?? null,
      facts: {
        now,
        delivery: { status, reason, detail, receivedAt },
        hookStatus,
        action,
        run: run === undefined ? null : toRunFacts(run, isReplay, queues.get(run.id) ?? null),
      },
    };
  });
}

type ActionRow = Omit<WhyFacts["action"], "rateLimit"> & {
  readonly id: string;
  readonly name: string;
  readonly rate_count: number | null;
  readonly rate_seconds: number | null;
  readonly now: Date;
};

function isStartedAgain(run: RunRecord, first: RunRecord | undefined, receivedAt: Date): boolean {
  return run.id !== first?.id || run.createdAt.getTime() - receivedAt.getTime() > storedWithinMs;
}

function toRunFacts(run: RunRecord, isReplay: boolean, queue: QueueFacts | null): RunFacts {
  const { status, reason, attemptCount, createdAt, finishedAt } = run;
  return { status, reason, attemptCount, createdAt, finishedAt, isReplay, queue };
}

/** Reads what open runs wait for: a few lookups in the queue of each action. */
async function readQueueFacts(
  db: Database,
  accountId: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, QueueFacts>> {
  if (runIds.length === 0) return new Map();
  const rows = await db.$queryRaw<QueueRow[]>`
    select q.id, q.due_at as "dueAt", ahead.count as ahead, in_flight.count as "inFlight", rate.next_at as "rateNextAt",
      exists (select from workers w where not (${isLockReleased})) as "hasWorker"
    from queue q
    left join target_rates rate on rate.target_id = q.target_id
    cross join lateral (
      select count(*)::int as count from (
        select from queue b
        where b.account_id = q.account_id and b.target_id = q.target_id and b.lease_id is null
          and b.due_at <= q.due_at and (b.due_at, b.id) < (q.due_at, q.id)
        order by b.account_id, b.target_id, b.due_at limit ${maxAhead}::int
      ) earlier
    ) ahead
    cross join lateral (
      select count(lease_id)::int as count from (
        select lease_id from queue b where b.account_id = q.account_id and b.target_id = q.target_id
        order by b.account_id, b.target_id, b.due_at limit ${maxAhead}::int
      ) front
    ) in_flight
    where q.id = any (${[...runIds]}::uuid[]) and q.account_id = ${accountId}::uuid`;
  const waits = await mapFew(rows, ({ id }) => findRunWait(db, accountId, id));
  return new Map(rows.map(({ id, ...row }, at) => [id, { ...row, wait: waits[at] ?? null }]));
}

type QueueRow = Omit<QueueFacts, "wait"> & { readonly id: string };
