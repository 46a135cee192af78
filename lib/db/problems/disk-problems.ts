import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import type { ProblemDetails } from "#lib/schema/problem.ts";
import { recordProblems } from "./record-problems.ts";

type Disk = Omit<Extract<ProblemDetails, { kind: "disk" }>, "kind">;

/** The disk is everyone's, so every account has the problem. It has happened once until it is over. */
export async function recordDisk(db: SqlDatabase, disk: Disk): Promise<void> {
  const accounts = await db.$queryRaw<{ id: string }[]>`
    select id from accounts a
    where not exists (select from problems p where p.account_id = a.id and p.key = ${key} and p.state <> 'resolved')`;
  const atMs = Date.now();
  const problem = {
    kind: "disk",
    key,
    firstAtMs: atMs,
    lastAtMs: atMs,
    count: 1,
    details: { kind: "disk", ...disk },
  } as const;
  await recordProblems(
    db,
    accounts.map(({ id }) => ({ ...problem, accountId: id })),
  );
}

export async function resolveDisk(db: SqlDatabase): Promise<void> {
  await db.$executeRaw`
    update problems set state = 'resolved', resolved_at = now(), resolution = 'recovered', is_changed = true
    where key = ${key} and state <> 'resolved'`;
}

const key = "disk";
