import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ProblemDetails } from "#lib/schema/watch/problem.ts";
import { recordProblems } from "./record-problems.ts";

/** Problems of the whole installation. Every account has them, with the kind as their key. */
type SharedKind = "archive" | "clock" | "disk" | "spool";
type SharedDetails = Extract<ProblemDetails, { kind: SharedKind }>;

/** Opens the problem in the accounts that don't have it. It has happened once until it is over. */
export async function openShared(
  db: SqlDatabase,
  details: SharedDetails,
  firstAtMs?: number,
): Promise<void> {
  const { kind } = details;
  const accounts = await db.$queryRaw<{ id: string }[]>`
    select id from accounts a
    where not exists (select from problems p where p.account_id = a.id and p.key = ${kind} and p.state <> 'resolved')`;
  const nowMs = Date.now();
  const times = { firstAtMs: firstAtMs ?? nowMs, lastAtMs: nowMs };
  const problem = { kind, key: kind, ...times, count: 1, details };
  await recordProblems(
    db,
    accounts.map(({ id }) => ({ ...problem, accountId: id })),
  );
}

/** Lets open problems say how it is now, and opens the others. */
export async function updateShared(
  db: SqlDatabase,
  details: SharedDetails,
  firstAtMs?: number,
): Promise<void> {
  await db.$executeRaw`
    update problems set details = ${JSON.stringify(details)}::json, last_at = now()
    where key = ${details.kind} and state <> 'resolved'`;
  await openShared(db, details, firstAtMs);
}

export async function resolveShared(db: SqlDatabase, kind: SharedKind): Promise<void> {
  await db.$executeRaw`
    update problems set state = 'resolved', resolved_at = now(), resolution = 'recovered', is_changed = true
    where key = ${kind} and state <> 'resolved'`;
}
