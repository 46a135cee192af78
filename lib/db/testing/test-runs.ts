import { newId } from "#lib/base/ids.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { StoredRunState } from "#lib/schema/act/run-states.ts";

type Statements = Pick<SqlDatabase, "$queryRaw" | "$executeRaw">;

/** A run as stored, open or ended. */
type TestRun = {
  readonly id: string;
  readonly accountId: string;
  readonly targetId: string;
  readonly hookId: string | null;
  readonly deliveryId: string | null;
  readonly state: StoredRunState;
  readonly attemptCount: number;
  readonly leaseId: string | null;
  readonly reasonCode: string | null;
  readonly reasonDetail: string | null;
};

type Where = Partial<Pick<TestRun, "id" | "accountId" | "hookId" | "deliveryId">>;

/** The runs of both tables with these values, by id. */
export function readRuns(db: Statements, where: Where = {}): Promise<readonly TestRun[]> {
  const columns = {
    id: Prisma.sql`id`,
    accountId: Prisma.sql`account_id`,
    hookId: Prisma.sql`hook_id`,
    deliveryId: Prisma.sql`delivery_id`,
  };
  const conditions = Object.entries(where).map(
    ([name, value]) => Prisma.sql`${columns[name as keyof Where]} = ${value}::uuid`,
  );
  return db.$queryRaw<TestRun[]>`
    select id, account_id as "accountId", target_id as "targetId", hook_id as "hookId", delivery_id as "deliveryId", state,
      attempt_count as "attemptCount", lease_id as "leaseId", reason_code as "reasonCode", reason_detail as "reasonDetail"
    from (
      select id, account_id, target_id, hook_id, delivery_id, case when reason_code is null then 'queued' else 'retrying' end as state,
        attempt_count, lease_id, reason_code, reason_detail
      from queue
      union all
      select id, account_id, target_id, hook_id, delivery_id, state, attempt_count, null, reason_code, reason_detail from runs
    ) run
    where ${conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " and ")}
    order by id`;
}

type NewRun = Pick<TestRun, "accountId" | "targetId" | "state"> &
  Partial<Omit<TestRun, "leaseId">> & {
    /** The start of its only attempt. */
    readonly startedAtMs?: number | undefined;
  };

/** Adds a run with an id of its own. Returns the id. */
export async function addRun(db: Statements, run: NewRun): Promise<string> {
  const { id = newId(), accountId, targetId, hookId = null, deliveryId = null, state } = run;
  const { attemptCount = 0, reasonCode = null, reasonDetail = null, startedAtMs } = run;
  if (state === "queued" || state === "retrying") {
    await db.$executeRaw`
      insert into queue (id, account_id, target_id, hook_id, delivery_id, has_own_id, due_at, attempt_count, reason_code, reason_detail)
      values (${id}::uuid, ${accountId}::uuid, ${targetId}::uuid, ${hookId}::uuid, ${deliveryId}::uuid, true, now(), ${attemptCount}::int,
        ${state === "queued" ? null : (reasonCode ?? "test")}, ${state === "queued" ? null : (reasonDetail ?? "A test.")})`;
    return id;
  }
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, delivery_id, has_own_id, finished_at, attempt_count, state, reason_code,
      reason_detail, started_at, duration_ms)
    values (${id}::uuid, ${accountId}::uuid, ${targetId}::uuid, ${hookId}::uuid, ${deliveryId}::uuid, true, now(), ${attemptCount}::int,
      ${state}, ${reasonCode}, ${reasonDetail}, ${startedAtMs === undefined ? null : new Date(startedAtMs)}::timestamptz,
      ${startedAtMs === undefined ? null : 1}::int)`;
  return id;
}

type End = {
  readonly state?: "succeeded" | "failed" | "skipped" | "cancelled";
  readonly reasonCode?: string | null;
  readonly reasonDetail?: string | null;
};

/** Ends open runs like a finish with one more attempt. */
export async function endRuns(
  db: Statements,
  ids: readonly string[],
  { state = "failed", reasonCode = null, reasonDetail = null }: End = {},
): Promise<void> {
  await db.$executeRaw`
    with open as (
      delete from queue where id = any (${[...ids]}::uuid[]) returning *
    )
    insert into runs (id, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, finished_at, started_at, duration_ms, attempt_count,
      state, reason_code, reason_detail)
    select id, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, now(), now(), 1, attempt_count + 1, ${state}, ${reasonCode},
      ${reasonDetail}
    from open`;
}
