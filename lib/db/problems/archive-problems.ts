import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ProblemDetails } from "#lib/schema/problem.ts";
import { recordProblems } from "./record-problems.ts";

type Archive = Omit<Extract<ProblemDetails, { kind: "archive" }>, "kind">;

/** The archive is everyone's, so every account has the problem. It says how it is now. */
export async function recordArchive(db: SqlDatabase, archive: Archive): Promise<void> {
  const details = { kind: "archive", ...archive } as const;
  await db.$executeRaw`
    update problems set details = ${JSON.stringify(details)}::json, last_at = now()
    where key = ${key} and state <> 'resolved'`;
  const accounts = await db.$queryRaw<{ id: string }[]>`
    select id from accounts a
    where not exists (select from problems p where p.account_id = a.id and p.key = ${key} and p.state <> 'resolved')`;
  const atMs = Date.now();
  const problem = {
    kind: "archive",
    key,
    firstAtMs: atMs,
    lastAtMs: atMs,
    count: 1,
    details,
  } as const;
  await recordProblems(
    db,
    accounts.map(({ id }) => ({ ...problem, accountId: id })),
  );
}

export async function resolveArchive(db: SqlDatabase): Promise<void> {
  await db.$executeRaw`
    update problems set state = 'resolved', resolved_at = now(), resolution = 'recovered', is_changed = true
    where key = ${key} and state <> 'resolved'`;
}

const key = "archive";
