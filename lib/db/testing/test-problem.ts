import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openProblem } from "#lib/db/problems/record-problems.ts";

type Of = { readonly accountId: string; readonly hookId: string };

/** Opens a problem: deliveries of a hook are rejected. Returns its id. */
export async function addProblem(
  db: Pick<SqlDatabase, "$queryRaw" | "$executeRaw">,
  { accountId, hookId }: Of,
): Promise<string> {
  const key = `rejected:${hookId}:signature_invalid`;
  const details = { kind: "rejected", message: "The signature doesn't match." } as const;
  const of = { accountId, hookId, reason: "signature_invalid" };
  await openProblem(db, { ...of, kind: "rejected", key, details, at: new Date() });
  const [problem] = await db.$queryRaw<{ id: string }[]>`
    select id from problems where account_id = ${accountId}::uuid and key = ${key}`;
  return problem?.id ?? "";
}
