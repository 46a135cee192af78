import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { archiveBeforeDrop } from "#lib/archive/archive-weeks.ts";
import { openFolder } from "#lib/archive/folder-storage.ts";
import type { Finding } from "#lib/base/command-line/finding.ts";
import { sweepBefore } from "#lib/db/deliveries/retention/retention.ts";
import { endOf } from "#lib/db/postgres/partitions/kept-weeks.ts";
import { addPartitions, endOpenRuns, fillWeek, weeksAgo } from "#lib/db/testing/fill-week.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { runInProcess } from "../testing/run-in-process.ts";

const { db, url } = withDatabase();
const folder = mkdtempSync(join(tmpdir(), "catchment-cli-archive-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));
const week = weeksAgo(20);

const env = {
  DATABASE_URL: url,
  CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
  CATCHMENT_ARCHIVE: `file://${folder}`,
};
const run = (...args: string[]) => runInProcess(env, ...args);

async function findArchive(): Promise<Pick<Finding, "level" | "message">> {
  const { findings } = JSON.parse((await run("doctor", "--json")).stdout) as {
    findings: Finding[];
  };
  const [found] = findings.filter(({ check }) => check === "Archive");
  return found ?? { level: "error", message: "There is no finding" };
}

test("the operator lists, verifies, and restores an archived week", async () => {
  expect((await run("archive", "list")).stdout).toBe(`There are no archived weeks in ${folder}.\n`);
  await addPartitions(db, week, new Date());
  const { hook } = await fillWeek(db, week);
  await endOpenRuns(db);
  expect(await findArchive()).toMatchObject({
    level: "error",
    message: expect.stringMatching(/weeks are past retention and not archived yet/),
  });
  const storage = openFolder(folder);
  const signal = new AbortController().signal;
  const options = {
    db,
    databaseUrl: url,
    storage,
    sealer: testSealer,
    signal,
  };
  const cutoff = endOf(weeksAgo(13));
  await sweepBefore(db, cutoff, () => false, archiveBeforeDrop(options));
  expect(await findArchive()).toMatchObject({ level: "ok" });

  const [first, ...others] = (await run("archive", "list")).stdout.trimEnd().split("\n");
  expect(first).toMatch(new RegExp(`^${week} {2}\\d+ rows, \\d[\\d.]* (?:bytes|KiB), archived `));
  expect(others).toHaveLength(7);
  // Any day of the week names it.
  const lastDay = new Date(endOf(week).getTime() - 1).toISOString().slice(0, 10);
  expect(await run("archive", "verify", lastDay)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`The archive of ${week} is as it was written: `),
  });
  const restored = await run("archive", "restore", week, "--days", "3");
  expect([restored.status, restored.stderr]).toEqual([0, ""]);
  expect(restored.stdout).toContain("  deliveries: 40\n");
  expect(restored.stdout).toContain("Nothing of it is run again.");
  expect(await db.delivery.count({ where: { hookId: hook.id } })).toBe(40);
  expect((await run("archive", "restore", week)).stdout).toContain(
    "  deliveries: 0, 40 left out\n",
  );
  const events = await db.auditEntry.findMany({ select: { event: true } });
  expect(events.map(({ event }) => event)).toContain("installation.week_restored");
  expect(await findArchive()).toMatchObject({ level: "ok" });

  rmSync(join(folder, week, "deliveries"), { recursive: true });
  expect(await run("archive", "verify", week)).toMatchObject({
    status: 1,
    stderr: `${week}/deliveries/000001.ndjson.zst is missing.\n`,
  });
});

test.each([
  [["archive", "restore", "2026-02-30"], "WEEK must be a day"],
  [["archive", "restore", "2001-01-01"], "no whole archive of 2001-01-01"],
  [["archive", "restore", "2001-01-01", "--days", "0"], "--days must be a whole number"],
])("%j is one sentence", async (args, sentence) => {
  const { status, stderr } = await run(...args);
  expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(stderr).not.toContain("    at ");
});

/** Changes the archive as someone would who can write to it: a row, its part, and the manifest. */
function tamper(folderOfWeek: string): void {
  const manifestPath = join(folderOfWeek, "manifest.json");
  const manifest = JSON.parse(readFileSync(manifestPath, "utf8"));
  const [part] = manifest.tables.find(({ name }: { name: string }) => name === "deliveries").parts;
  const path = join(folderOfWeek, part.name);
  const lines = zstdDecompressSync(readFileSync(path)).toString();
  const changed = zstdCompressSync(lines.replaceAll("POST", "PUSH"));
  writeFileSync(path, changed);
  part.sha256 = createHash("sha256").update(changed).digest("hex");
  part.fileBytes = changed.length;
  writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
}

test("a changed archive is neither verified nor restored, here or in another database", async () => {
  const changedWeek = weeksAgo(22);
  await fillWeek(db, changedWeek);
  const signal = new AbortController().signal;
  const storage = openFolder(folder);
  const options = {
    db,
    databaseUrl: url,
    storage,
    sealer: testSealer,
    signal,
  };
  const before = archiveBeforeDrop(options);
  await sweepBefore(db, endOf(changedWeek), () => false, before);
  expect((await run("archive", "verify", changedWeek)).status).toBe(0);
  tamper(join(folder, changedWeek));
  const reason = "This database knows another checksum of it";
  for (const args of [["verify"], ["restore"], ["restore", "--unsigned"]])
    expect(await run("archive", ...args, changedWeek)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(reason),
    });
  await db.$executeRaw`delete from archived_weeks where week = ${changedWeek}::date`;
  expect(await run("archive", "restore", changedWeek)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("Its signature doesn't match"),
  });
});
