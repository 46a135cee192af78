import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { findPointless } from "#lib/db/queue/renew-leases.ts";

type Run = { readonly id: string; readonly leaseId: string; readonly kind: "action" | "send" };
type InFlight = { list(): readonly Run[]; abort(run: Omit<Run, "kind">): void };

/** Work may wait long for a thread. Work that its run no longer needs never starts. */
export async function dropPointless(
  db: SqlStatements,
  threads: { readonly waiting: number },
  inFlight: InFlight,
): Promise<void> {
  if (threads.waiting === 0) return;
  const actionRuns = inFlight.list().filter(({ kind }) => kind === "action");
  for (const run of await findPointless(db, actionRuns)) inFlight.abort(run);
}
