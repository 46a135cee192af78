import { totalOf } from "#lib/archive/format.ts";
import { verifyWeek } from "#lib/archive/read-week.ts";
import type { CommandInput, ExitCode } from "../frame/command.ts";
import { formatAmount, readWeek, withArchive } from "./open-archive.ts";

/** Reads every byte of a week's archive, without the database. */
export async function runArchiveVerify(input: CommandInput): Promise<ExitCode> {
  const week = readWeek(input.operands[0] ?? "");
  return await withArchive<ExitCode>(input.readEnv(), async (storage) => {
    const manifest = await verifyWeek(storage, week);
    const tables = manifest.tables.map(({ name, rows }) => ({ name, rows }));
    input.output.result(
      input.values.json === true
        ? JSON.stringify(
            { week, createdAt: manifest.createdAt, tables, ...totalOf(manifest) },
            null,
            2,
          )
        : `The archive of ${week} is as it was written: ${formatAmount(totalOf(manifest))}.`,
    );
    return 0;
  });
}
