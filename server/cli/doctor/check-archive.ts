import { accessSync, constants } from "node:fs";
import type { Client } from "pg";
import { describePlace, openStorage } from "#lib/archive/open-storage.ts";
import { ArchiveError, type ArchiveStorage } from "#lib/archive/storage.ts";
import { type Finding, failure, ok, type Result, warning } from "#lib/base/command-line/finding.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";

const check = "Archive";
const dayMs = 86_400_000;

/** Checks that the archive can be reached, and that no week waits for it. Changes nothing. */
export async function checkArchive(env: Env, client: Client): Promise<Finding[]> {
  const { archive, retentionDays } = env;
  if (archive === undefined)
    return [
      { check, ...ok("CATCHMENT_ARCHIVE isn't set, so weeks are dropped without an archive.") },
    ];
  if (retentionDays === 0)
    return [
      {
        check,
        ...warning(
          "Nothing is archived, because CATCHMENT_RETENTION_DAYS keeps everything.",
          "Set it to the number of days after which weeks are archived and dropped.",
        ),
      },
    ];
  const cutoff = new Date(startOfWeek(Date.now() - (retentionDays + 1) * dayMs));
  const waiting = await countWaiting(client, cutoff);
  const storage = openStorage(archive);
  try {
    return [
      { check, ...evaluateArchive(await reach(storage, env), waiting, describePlace(archive)) },
    ];
  } finally {
    await storage.close();
  }
}

/** Null: it can be read, and as far as that can be known without a change, written. */
async function reach(storage: ArchiveStorage, { archive }: Env): Promise<string | null> {
  try {
    await storage.listFolders();
    if (archive?.kind === "folder") accessSync(archive.folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return error instanceof ArchiveError ? error.message : "The archive's folder can't be written.";
  }
}

/** Pure. */
export function evaluateArchive(trouble: string | null, waiting: number, place: string): Result {
  if (trouble !== null)
    return failure(
      trouble,
      "Correct CATCHMENT_ARCHIVE, or the rights there. Until then, weeks that are past retention stay.",
    );
  if (waiting > 0)
    return failure(
      `${waiting === 1 ? "1 week is" : `${waiting} weeks are`} past retention and not archived yet.`,
      "See the problem in the dashboard, and the log lines archive.failed.",
    );
  return ok(`Weeks are archived in ${place}, and none waits.`);
}

async function countWaiting(client: Client, cutoff: Date): Promise<number> {
  const { rows: known } = await client.query("select where to_regclass('kept_weeks') is not null");
  // Migrations are missing, which is another finding.
  if (known.length === 0) return 0;
  const { rows } = await client.query<{ count: number }>(
    `select count(distinct week)::int as count from (
       select to_date(substring(c.relname from '_([0-9]{8})$'), 'YYYYMMDD') as week from pg_inherits i
       join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('deliveries')
     ) weeks
     where week < $1::date
       and not exists (select from kept_weeks k where k.week = weeks.week and k.kept_until > now())`,
    [cutoff.toISOString().slice(0, 10)],
  );
  return rows[0]?.count ?? 0;
}
