import { decodeCursor, lastId, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import {
  type ProblemDetails,
  type ProblemFacts,
  type ProblemKind,
  type ProblemResolution,
  type ProblemState,
  problemDetailsSchema,
} from "#lib/schema/watch/problem.ts";

export type ProblemRecord = ProblemFacts & {
  readonly id: string;
  /** The name, or else the id, of the subscription's recipient. */
  readonly recipient: string | null;
  /** A code, such as `receiver_down`. */
  readonly reason: string | null;
  readonly details: ProblemDetails;
  readonly resolution: ProblemResolution | null;
};

type ProblemFilter = {
  readonly state?: ProblemState | "unresolved" | undefined;
  readonly kind?: ProblemKind | undefined;
  readonly hookId?: string | undefined;
  readonly actionId?: string | undefined;
  readonly subscriptionId?: string | undefined;
};

/** Lists problems, newest first. */
export async function listProblems(
  db: Database,
  accountId: string,
  filter: ProblemFilter,
  page: PageRequest,
): Promise<Page<ProblemRecord>> {
  const before = decodeCursor(page.cursor);
  const rows = await readRows(db, accountId, { filter, before, limit: page.limit + 1 });
  return toPage(rows, page.limit);
}

/** Throws `not_found`. */
export async function getProblem(
  db: Database | Transaction,
  accountId: string,
  problemId: string,
): Promise<ProblemRecord> {
  const id = requireId("problem", problemId);
  const [row] = await readRows(db, accountId, { id, filter: {}, before: null, limit: 1 });
  if (row === undefined) throw notFound("problem");
  return row;
}

/** The number of problems that are open and not acknowledged. */
export async function countOpenProblems(db: Database, accountId: string): Promise<number> {
  return await db.problem.count({ where: { accountId, state: "open" } });
}

/** Acknowledges an open problem. One that is acknowledged or resolved stays as it is. */
export async function acknowledgeProblem(
  tx: Transaction,
  accountId: string,
  id: string,
  by: string,
): Promise<void> {
  const state = "acknowledged";
  await tx.problem.updateMany({
    where: { accountId, id, state: "open" },
    data: { state, acknowledgedAt: new Date(), acknowledgedBy: by, isChanged: true },
  });
}

/** Resolves a problem manually. What happens after opens another one. */
export async function resolveProblemBy(
  tx: Transaction,
  accountId: string,
  id: string,
  by: string,
): Promise<void> {
  const resolved = { state: "resolved", resolution: "manual" } as const;
  await tx.problem.updateMany({
    where: { accountId, id, state: { not: "resolved" } },
    data: { ...resolved, resolvedAt: new Date(), resolvedBy: by, isChanged: true },
  });
}

type Change = {
  readonly assigneeId?: string | null | undefined;
  readonly comment?: string | null | undefined;
  /** Who changes it. */
  readonly by: string;
};

/** Changes who takes care of a problem, and what is written about it. */
export async function changeProblem(
  tx: Transaction,
  accountId: string,
  id: string,
  { assigneeId, comment, by }: Change,
): Promise<void> {
  const commented = { commentedAt: new Date(), commentedBy: by };
  await tx.problem.updateMany({
    where: { accountId, id },
    data: {
      ...(assigneeId !== undefined && { assigneeId }),
      ...(comment !== undefined && { comment, ...commented }),
      ...(comment === null && { commentedAt: null, commentedBy: null }),
    },
  });
}

/** A later visit begins a new one. */
const visitMinutes = 30;

/** The end of a person's last visit to the problems. Null: this is the first. */
export async function readNewSince(
  db: Database,
  accountId: string,
  userId: string,
): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ since: Date | null }[]>`
    select ${newSince} as since from memberships where account_id = ${accountId}::uuid and user_id = ${userId}::uuid`;
  return row?.since ?? null;
}

/** Remembers that a person looks at the problems now. */
export async function markSeen(db: Database, accountId: string, userId: string): Promise<void> {
  await db.$executeRaw`
    update memberships set problems_new_since = ${newSince}, problems_seen_at = now()
    where account_id = ${accountId}::uuid and user_id = ${userId}::uuid`;
}

const newSince = Prisma.sql`
  case when problems_seen_at < now() - ${visitMinutes}::int * interval '1 minute' then problems_seen_at else problems_new_since end`;

type Row = Omit<ProblemRecord, "count" | "details"> & {
  readonly count: bigint;
  readonly details: string;
};

async function readRows(
  db: Database | Transaction,
  accountId: string,
  {
    id = null,
    filter,
    before,
    limit,
  }: { id?: string | null; filter: ProblemFilter; before: string | null; limit: number },
): Promise<ProblemRecord[]> {
  const {
    state = null,
    kind = null,
    hookId = null,
    actionId = null,
    subscriptionId = null,
  } = filter;
  const rows = await db.$queryRaw<Row[]>`
    select p.id, p.kind, p.state, p.hook_id as "hookId", p.action_id as "actionId", p.subscription_id as "subscriptionId",
      h.name as "hookName", a.name as "actionName", s.receiver_url as "receiverUrl", coalesce(r.name, s.recipient) as recipient,
      p.reason, p.first_at as "firstAt", p.last_at as "lastAt", p.count, p.details::text as details, p.delivery_id as "deliveryId", p.run_id as "runId",
      p.acknowledged_at as "acknowledgedAt", p.acknowledged_by as "acknowledgedBy", p.resolved_at as "resolvedAt",
      p.resolved_by as "resolvedBy", p.resolution, m.user_id as "assigneeId", u.name as assignee, p.comment,
      p.commented_at as "commentedAt", p.commented_by as "commentedBy"
    from problems p
    left join memberships m on m.account_id = p.account_id and m.user_id = p.assignee_id
    left join users u on u.id = m.user_id
    left join hooks h on h.id = p.hook_id and h.deleted_at is null
    left join actions a on a.id = p.action_id and a.deleted_at is null
    left join subscriptions s on s.id = p.subscription_id and s.deleted_at is null
    left join recipients r on r.account_id = s.account_id and r.id = s.recipient
    where p.account_id = ${accountId}::uuid and (${id}::uuid is null or p.id = ${id}::uuid)
      and p.id < ${before ?? lastId}::uuid
      and (${state}::text is null or p.state = ${state}::text or (${state}::text = 'unresolved' and p.state <> 'resolved'))
      and (${kind}::text is null or p.kind = ${kind}::text) and (${hookId}::text is null or p.hook_id::text = ${hookId}::text)
      and (${actionId}::text is null or p.action_id::text = ${actionId}::text)
      and (${subscriptionId}::text is null or p.subscription_id::text = ${subscriptionId}::text)
    order by p.id desc limit ${limit}::int`;
  return rows.map((row) => ({
    ...row,
    count: Number(row.count),
    details: problemDetailsSchema.parse(JSON.parse(row.details)),
  }));
}
