import { totalOf, weekSchema } from "#lib/archive/format.ts";
import { readManifest } from "#lib/archive/read-week.ts";
import type { CommandInput, ExitCode } from "../frame/command.ts";
import { formatAmount, withArchive } from "./open-archive.ts";

/** Lists the archived weeks, oldest first, without the database. */
export async function runArchiveList(input: CommandInput): Promise<ExitCode> {
  return await withArchive<ExitCode>(input.readEnv(), async (storage, place) => {
    const folders = (await storage.listFolders()).filter(
      (name) => weekSchema.safeParse(name).success,
    );
    const weeks = [];
    for (const week of folders.toSorted()) {
      const found = await readManifest(storage, week);
      // One is being written, or was interrupted.
      if (found === null) weeks.push({ week, isWhole: false as const });
      else {
        const { createdAt } = found.manifest;
        weeks.push({ week, isWhole: true as const, createdAt, ...totalOf(found.manifest) });
      }
    }
    const lines = weeks.map((one) =>
      one.isWhole
        ? `${one.week}  ${formatAmount(one)}, archived ${one.createdAt}`
        : `${one.week}  not whole: it is being written, or is started again`,
    );
    const nothing = `There are no archived weeks in ${place}.`;
    input.output.result(
      input.values.json === true
        ? JSON.stringify({ place, weeks }, null, 2)
        : lines.join("\n") || nothing,
    );
    return 0;
  });
}
