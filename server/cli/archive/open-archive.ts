import { isStrays } from "#lib/archive/format.ts";
import { describePlace, openStorage } from "#lib/archive/open-storage.ts";
import { ArchiveError, type ArchiveStorage } from "#lib/archive/storage.ts";
import { describeSize } from "#lib/base/describe-size.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { StartError } from "#server/system/start-error.ts";

/** Calls `use` with the place that `CATCHMENT_ARCHIVE` names. What is wrong with it is one sentence. */
export async function withArchive<Result>(
  { archive }: Env,
  use: (storage: ArchiveStorage, place: string) => Promise<Result>,
): Promise<Result> {
  if (archive === undefined)
    throw new StartError("There is no archive: set CATCHMENT_ARCHIVE as at the start.");
  const storage = openStorage(archive);
  try {
    return await use(storage, describePlace(archive));
  } catch (error) {
    if (error instanceof ArchiveError) throw new StartError(error.message);
    throw error;
  } finally {
    await storage.close();
  }
}

/** The Monday of the week of a day such as `2026-08-26`, or the name of strays as it is. */
export function readWeek(text: string): string {
  if (isStrays(text)) return text;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // An unknown day, such as February 30, is another one for some.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text)
    throw new StartError(`WEEK must be a day of the week, like 2026-08-24, not ${text}.`);
  return new Date(startOfWeek(at)).toISOString().slice(0, 10);
}

export function formatAmount(total: { rows: number; fileBytes: number }): string {
  return `${total.rows.toLocaleString("en-US")} rows, ${describeSize(total.fileBytes)}`;
}
