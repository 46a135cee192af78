import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { archiveBeforeDrop } from "../archive-weeks.ts";
import { openFolder } from "../folder-storage.ts";

/**
 * A process that archives a week, and stands still once it has written so many files: it says so, and
 * waits until it is killed.
 */
const [databaseUrl = "", folder = "", week = "", puts = "0"] = process.argv.slice(2);
const storage = openFolder(folder);
let left = Number(puts);
const { prepare } = archiveBeforeDrop({
  db: createSqlDatabase({ url: databaseUrl, poolSize: 2, applicationName: "test" }),
  databaseUrl,
  sealer: testSealer,
  storage: {
    ...storage,
    async put(name, bytes) {
      if (left === 0) await standStill();
      left -= 1;
      await storage.put(name, bytes);
    },
    async get(name) {
      if (left === 0 && name.endsWith("manifest.json") && Number(puts) > 0) await standStill();
      return await storage.get(name);
    },
  },
  signal: new AbortController().signal,
});
await prepare(week);

async function standStill(): Promise<void> {
  process.stdout.write("standing still\n");
  await new Promise(() => setInterval(() => {}, 60_000));
}
