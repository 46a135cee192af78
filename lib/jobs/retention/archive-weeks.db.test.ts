import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { withArchiveSession } from "#lib/db/archive/archive-session.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { endOpenRuns, fillWeek, weeksAgo } from "#lib/db/testing/fill-week.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { workOnce } from "../testing/work.ts";
import { sweepJobs } from "./sweep.ts";

const database = withDatabase();
const root = mkdtempSync(join(tmpdir(), "catchment-archive-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a week stays while its archive can't be written, a problem says so, and it is over then", {
  tags: "variant",
}, async () => {
  const week = weeksAgo(20);
  const { hook } = await fillWeek(database.db, week);
  await endOpenRuns(database.db);
  const db = createSqlDatabase({ url: database.url, poolSize: 2, applicationName: "test" });
  const folder = join(root, "not-mounted");
  const retention = { retentionDays: 90, rejectedRetentionDays: 14 };
  const archive = { kind: "folder", folder } as const;
  const [sweep] = sweepJobs(db, {
    ...retention,
    archive,
    databaseUrl: database.url,
    sealer: testSealer,
  });
  if (sweep === undefined) throw new Error("There is a job");
  const findProblems = () =>
    database.db.problem.findMany({
      where: { accountId: hook.accountId, kind: "archive" },
      select: { state: true, details: true },
    });
  try {
    for (let turn = 0; turn < 2; turn += 1) {
      await workOnce(sweep);
      expect(await database.db.delivery.count()).toBe(40);
      const message = "The archive's folder can't be written (ENOENT).";
      expect(await findProblems()).toEqual([
        { state: "open", details: { kind: "archive", week, message } },
      ]);
    }
    mkdirSync(folder);
    // While another process archives it, it isn't over.
    await withArchiveSession(database.url, () => workOnce(sweep));
    expect(await findProblems()).toMatchObject([{ state: "open" }]);
    await workOnce(sweep);
    expect(await database.db.delivery.count()).toBe(0);
    expect(readdirSync(folder)).toContain(week);
    expect(await findProblems()).toMatchObject([{ state: "resolved" }]);
  } finally {
    await db.$disconnect();
  }
});

test("the problem of a week that can't be archived is over once everything is kept", async () => {
  const { hook } = await fillWeek(database.db, weeksAgo(21));
  const db = createSqlDatabase({ url: database.url, poolSize: 2, applicationName: "test" });
  const archive = { kind: "folder", folder: join(root, "never-mounted") } as const;
  const options = {
    rejectedRetentionDays: 14,
    archive,
    databaseUrl: database.url,
    sealer: testSealer,
  };
  const sweepWith = async (retentionDays: number) => {
    const [sweep] = sweepJobs(db, { ...options, retentionDays });
    if (sweep === undefined) throw new Error("There is a job");
    await workOnce(sweep);
    return await database.db.problem.findMany({
      where: { accountId: hook.accountId, kind: "archive" },
      select: { state: true },
    });
  };
  try {
    expect(await sweepWith(90)).toEqual([{ state: "open" }]);
    expect(await sweepWith(0)).toEqual([{ state: "resolved" }]);
  } finally {
    await db.$disconnect();
  }
});
