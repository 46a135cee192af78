import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { withConnection } from "#server/database/database-connection.ts";
import { type Migration, migrate, readMigrations } from "#server/database/migrate.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded-postgres.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { findServiceUser } from "#server/system/service-user.ts";
import { fillOldTables, firstNewMigration } from "./seed/old-tables.ts";

/**
 * `npm run bench:upgrade -- [--runs 1000000] [--open 50000] [--old-reasons 25000] [--days 25]`: how
 * long the move from one table of runs to a queue and a history takes, and how long others wait for
 * its locks.
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000000" },
    open: { type: "string", default: "50000" },
    "old-reasons": { type: "string", default: "25000" },
    days: { type: "string", default: "25" },
  },
});
const size = {
  runs: Number(values.runs),
  open: Number(values.open),
  oldReasons: Number(values["old-reasons"]),
  days: Number(values.days),
};
const migrations = readMigrations(migrationsFolder);
const folder = mkdtempSync(join(tmpdir(), "catchment-upgrade-"));
const user = findServiceUser();
if (user !== undefined) chownSync(folder, user.uid, user.gid);
const postgres = await startEmbeddedPostgres({ folder: prepareDataFolder(folder), user });
try {
  await measure();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const firstNew = migrations.findIndex(({ name }) => name === firstNewMigration);
  await apply(migrations.slice(0, firstNew));
  const filling = performance.now();
  await withConnection(postgres.url, (client) => fillOldTables(client, size));
  await withConnection(postgres.adminUrl, (client) => client.query("checkpoint"));
  say(`filled with ${size.runs} runs in ${seconds(performance.now() - filling)}`);
  let isOver = false;
  const waits = [
    watchLock("access share mode", "runs", "read runs", () => isOver),
    watchLock("row exclusive mode", "deliveries", "store a delivery", () => isOver),
  ];
  let total = 0;
  for (const [index, { name }] of migrations.entries()) {
    if (index < firstNew) continue;
    const startedAt = performance.now();
    await apply(migrations.slice(0, index + 1));
    total += performance.now() - startedAt;
    say(`${name}: ${seconds(performance.now() - startedAt)}`);
  }
  isOver = true;
  say(`in all: ${seconds(total)}, or ${seconds((total / size.runs) * 1_000_000)} a million runs`);
  for (const wait of waits) say(await wait);
  const [row] = await withConnection(
    postgres.url,
    async (client) =>
      (
        await client.query<{ queued: number; ended: number; keys: number }>(
          "select (select count(*) from queue)::int as queued, (select count(*) from " +
            "runs)::int as ended, (select count(*) from dedupe_keys)::int as keys",
        )
      ).rows,
  );
  say(`after it: ${row?.queued} in the queue, ${row?.ended} in the history, ${row?.keys} keys`);
  if (row?.queued !== size.open || row.ended !== size.runs - size.open || row.keys !== size.runs)
    throw new Error("The upgrade lost rows");
}

async function apply(list: readonly Migration[]): Promise<void> {
  const { url } = postgres;
  await withConnection(url, (client) => migrate({ url, client, migrations: list }));
}

/** Locks a table again and again, as another process does. Reports its longest wait. */
async function watchLock(
  mode: string,
  table: string,
  what: string,
  isOver: () => boolean,
): Promise<string> {
  let maxMs = 0;
  await withConnection(postgres.url, async (client) => {
    while (!isOver()) {
      const startedAt = performance.now();
      await client.query(`begin; lock table ${table} in ${mode}; rollback`);
      maxMs = Math.max(maxMs, performance.now() - startedAt);
      await delay(20);
    }
  });
  return `longest wait to ${what}: ${seconds(maxMs)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
