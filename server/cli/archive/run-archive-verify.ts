import { resolve } from "node:path";
import { totalOf } from "#lib/archive/format.ts";
import { verifyWeek } from "#lib/archive/read-week.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { readManifestSha256 } from "#lib/db/archive/archive-session.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { StartError } from "#server/system/start-error.ts";
import { requireSealer } from "../frame/audit-command.ts";
import type { CommandInput, ExitCode } from "../frame/command.ts";
import { withDatabase } from "../frame/database-access.ts";
import { formatAmount, readWeek, withArchive } from "./open-archive.ts";

/** Reads every byte of a week's archive. The database says whether the manifest was changed, if it can be reached. */
export async function runArchiveVerify(input: CommandInput): Promise<ExitCode> {
  const week = readWeek(input.operands[0] ?? "");
  const env = input.readEnv();
  return await withArchive<ExitCode>(env, async (storage) => {
    const folder = env.databaseUrl === undefined ? resolve(env.dataDir) : undefined;
    const sealer = requireSealer(env, { folder });
    const knownSha256 = await findKnown(env, week);
    const trustsUnsigned = input.values.unsigned === true;
    const manifest = await verifyWeek(storage, week, { sealer, knownSha256, trustsUnsigned });
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

/** Null: the database doesn't know this week, or can't be reached. The signature decides then. */
async function findKnown(env: Env, week: string): Promise<string | null> {
  try {
    return await withDatabase(env, ({ url }) =>
      withConnection(url, (client) => readManifestSha256(client, week)),
    );
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
}
