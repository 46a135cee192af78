import { acceptClock } from "#lib/db/clock/database-clock.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { auditCommand, requireSealer } from "./frame/audit-command.ts";
import type { CommandInput, ExitCode } from "./frame/command.ts";
import { withDatabase } from "./frame/database-access.ts";

/** Says that the clock is right, after it showed a later time for long. */
export async function runClockAccept(input: CommandInput): Promise<ExitCode> {
  const env = input.readEnv();
  const at = await withDatabase(env, async (access) => {
    const sealer = requireSealer(env, access);
    // Reports in one sentence what is wrong with the database address.
    await withConnection(access.url, async () => undefined);
    const db = createSqlDatabase({
      url: access.url,
      poolSize: 1,
      applicationName: "catchment clock",
    });
    try {
      const accepted = await acceptClock(db);
      await auditCommand(access.url, sealer, "installation.clock_accepted");
      return accepted;
    } finally {
      await db.$disconnect();
    }
  });
  input.output.result(
    `The database's clock is right: ${at.toISOString()}. Deliveries are caught within a minute.`,
  );
  return 0;
}
