import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { findPointless } from "#lib/db/queue/control/find-pointless.ts";

type Run = { readonly id: string; readonly leaseId: string; readonly hookId: string | null };
type InFlight = { list(): readonly Run[]; abort(run: Omit<Run, "hookId">): void };

/** Work may wait for a thread for long. What its run doesn't need any more never starts. */
export async function dropPointless(
  db: SqlStatements,
  threads: { readonly waiting: number },
  inFlight: InFlight,
): Promise<void> {
  if (threads.waiting === 0) return;
  const calls = inFlight.list().filter(({ hookId }) => hookId !== null);
  for (const run of await findPointless(db, calls)) inFlight.abort(run);
}
