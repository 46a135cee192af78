import { type RestoredTable, restoreWeek } from "#lib/archive/restore-week.ts";
import { withArchiveSession } from "#lib/db/archive/archive-session.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { StartError } from "#server/system/start-error.ts";
import { auditCommand, requireSealer } from "../frame/audit-command.ts";
import { type CommandInput, type ExitCode, textValue } from "../frame/command.ts";
import { withDatabase } from "../frame/database-access.ts";
import { readWeek, withArchive } from "./open-archive.ts";

const defaultDays = 30;
const maxDays = 3_650;
const dayMs = 86_400_000;

/** Puts an archived week back for some days, also while Catchment runs. */
export async function runArchiveRestore(input: CommandInput): Promise<ExitCode> {
  const week = readWeek(input.operands[0] ?? "");
  const keepUntil = new Date(Date.now() + readDays(textValue(input, "days")) * dayMs);
  const trustsUnsigned = input.values.unsigned === true;
  const env = input.readEnv();
  const tables = await withArchive(env, (storage) =>
    withDatabase(env, async (access) => {
      const sealer = requireSealer(env, access);
      // Reports in one sentence what is wrong with the database address.
      await withConnection(access.url, async () => undefined);
      const restored = await withArchiveSession(access.url, (client) =>
        restoreWeek({ client, storage, week, keepUntil, sealer, trustsUnsigned }),
      );
      if (restored === null)
        throw new StartError("A week is being archived or restored: try again when that is done.");
      await auditCommand(access.url, sealer, "installation.week_restored");
      return restored;
    }),
  );
  input.output.result(
    input.values.json === true
      ? JSON.stringify({ week, keepUntil, tables }, null, 2)
      : summarize(week, keepUntil, tables),
  );
  return 0;
}

function readDays(text: string | undefined): number {
  if (text === undefined) return defaultDays;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= maxDays) return days;
  throw new StartError(`--days must be a whole number from 1 to ${maxDays}, not ${text}.`);
}

function summarize(week: string, keepUntil: Date, tables: readonly RestoredTable[]): string {
  const lines = tables.map(({ name, rows, restored }) => {
    const left = rows - restored;
    const rest = left === 0 ? "" : `, ${left.toLocaleString("en-US")} left out`;
    return `  ${name}: ${restored.toLocaleString("en-US")}${rest}`;
  });
  const isPartial = tables.some(({ rows, restored }) => restored < rows);
  return [
    `Restored the week of ${week}:`,
    ...lines,
    ...(isPartial
      ? ["The rest is in the database already, or belongs to something deleted since."]
      : []),
    `It stays until ${keepUntil.toISOString().slice(0, 10)}. Nothing of it is run again.`,
  ].join("\n");
}
