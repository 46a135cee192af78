import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ProblemDetails } from "#lib/schema/problem.ts";
import { recordProblems } from "./record-problems.ts";

type SpoolDetails = Omit<Extract<ProblemDetails, { kind: "spool" }>, "kind">;

/** The spool is everyone's, so every account has the problem. It says how it is now. */
export async function recordSpool(db: SqlDatabase, spool: SpoolDetails): Promise<void> {
  const details = { kind: "spool", ...spool } as const;
  await db.$executeRaw`
    update problems set details = ${JSON.stringify(details)}::json, last_at = now()
    where key = ${key} and state <> 'resolved'`;
  const accounts = await db.$queryRaw<{ id: string }[]>`
    select id from accounts a
    where not exists (select from problems p where p.account_id = a.id and p.key = ${key} and p.state <> 'resolved')`;
  const atMs = Date.now();
  const problem = { kind: "spool", key, lastAtMs: atMs, count: 1, details } as const;
  const firstAtMs = spool.oldestAt === null ? atMs : Date.parse(spool.oldestAt);
  await recordProblems(
    db,
    accounts.map(({ id }) => ({ ...problem, firstAtMs, accountId: id })),
  );
}

export async function resolveSpool(db: SqlDatabase): Promise<void> {
  await db.$executeRaw`
    update problems set state = 'resolved', resolved_at = now(), resolution = 'recovered', is_changed = true
    where key = ${key} and state <> 'resolved'`;
}

const key = "spool";
