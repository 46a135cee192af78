import { mkdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { startServer } from "#e2e/harness/server-under-test.ts";
import { archiveBeforeDrop } from "#lib/archive/archive-weeks.ts";
import { openFolder } from "#lib/archive/folder-storage.ts";
import { totalOf } from "#lib/archive/format.ts";
import { verifyWeek } from "#lib/archive/read-week.ts";
import { restoreWeek } from "#lib/archive/restore-week.ts";
import { withArchiveSession } from "#lib/db/archive/archive-session.ts";
import { sweepBefore } from "#lib/db/deliveries/retention/retention.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { readFingerprints } from "#lib/db/testing/fill-week.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { fillOldWeek } from "./seed/fill-old-week.ts";
import { folderAccess, withClient } from "./stage/filled-folder.ts";

/**
 * `npm run bench:archive [-- --count 200000]`: how long it takes to archive a week into a folder, to
 * drop it, and to restore it, and how much memory that needs. Counts and hashes have to agree.
 */
const { values } = parseArgs({ options: { count: { type: "string", default: "200000" } } });
const daysAgo = 120;
const dayMs = 86_400_000;
const folder = makeScratchFolder("archive");
mkdirSync(`${folder}/archive`, { recursive: true });
const server = await startServer({ folder: `${folder}/data`, roles: ["catch"] }, folderAccess);
const url = server.databaseUrl();
const db = createDatabase({ url, poolSize: 2, applicationName: "bench" });
try {
  await withClient(server, (client) =>
    fillOldWeek(client, { count: Number(values.count), daysAgo }),
  );
  const filled = await readFingerprints(db);
  const storage = openFolder(`${folder}/archive`);
  const { signal } = new AbortController();
  const sealer = openSealer("a secret for benchmarks that is long enough");
  const before = archiveBeforeDrop({ db, databaseUrl: url, storage, sealer, signal });
  const weeks: string[] = [];
  const prepare = async (week: string) => {
    weeks.push(week);
    return await before.prepare(week);
  };
  const cutoff = new Date(Date.now() - (daysAgo - 14) * dayMs);
  const archiveSeconds = await measure("archived and dropped", async () => {
    await sweepBefore(db, cutoff, () => false, { ...before, prepare });
  });
  let [rows, bytes, fileBytes] = [0, 0, 0];
  await measure("verified", async () => {
    for (const week of weeks) {
      const total = totalOf(await verifyWeek(storage, week, { sealer, knownSha256: null }));
      [rows, bytes, fileBytes] = [
        rows + total.rows,
        bytes + total.bytes,
        fileBytes + total.fileBytes,
      ];
    }
  });
  say(`${rows} rows, ${megabytes(bytes)} of lines, ${megabytes(fileBytes)} in files`);
  say(`archived ${(bytes / 1e6 / archiveSeconds).toFixed(0)} MB/s`);
  const restoreSeconds = await measure("restored", async () => {
    const keepUntil = new Date(Date.now() + dayMs);
    for (const week of weeks)
      await withArchiveSession(url, (client) =>
        restoreWeek({ client, storage, week, keepUntil, sealer }),
      );
  });
  say(`restored ${(bytes / 1e6 / restoreSeconds).toFixed(0)} MB/s`);
  const agree = JSON.stringify(await readFingerprints(db)) === JSON.stringify(filled);
  say(`counts and hashes of every table agree: ${agree ? "yes" : "NO"}`);
  if (!agree) process.exitCode = 1;
} finally {
  await db.$disconnect();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Also says how much more memory this process had than before, at most. */
async function measure(what: string, run: () => Promise<void>): Promise<number> {
  const rss = () => process.memoryUsage.rss();
  const atFirst = rss();
  let most = atFirst;
  const timer = setInterval(() => {
    most = Math.max(most, rss());
  }, 100);
  const startedAt = performance.now();
  try {
    await run();
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`${what} in ${seconds.toFixed(1)} s, with at most ${megabytes(most - atFirst)} more memory`);
  return seconds;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
