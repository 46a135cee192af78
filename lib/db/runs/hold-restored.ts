import { Prisma } from "#lib/db/generated/client.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import { cancelQueued } from "./move-runs.ts";

const restoredReason: RunReason = {
  code: "restored",
  detail:
    "Restored from a backup. It was open when the backup was made, and may have run since. Retry it to run it.",
};

/**
 * Statements that keep what a backup holds from being done twice: runs that were open may have been
 * made since, so each waits for a person to retry it. Jobs that queue more are paused.
 */
export const holdRestored: readonly [runs: Prisma.Sql, ...others: Prisma.Sql[]] = [
  cancelQueued(Prisma.sql`true`, restoredReason),
  Prisma.sql`update bulk_jobs set status = 'paused', pause_reason = 'Restored from a backup.'
    where status = 'running'`,
  // Programs that listen connect again: what they have to acknowledge may not be in the backup.
  Prisma.sql`delete from listener_connections where true`,
  Prisma.sql`update statistics_hours set recount_at = now() where hour in (
    select date_trunc('hour', to_timestamp(uuid_v7_ms(id) / 1000.0), 'UTC') from runs where reason_code = ${restoredReason.code})`,
];
