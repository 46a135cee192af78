import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { readSpools, recordSpoolReport } from "#lib/db/spool/spool-reports.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { workOnce } from "#lib/jobs/testing/work.ts";
import { spoolJob } from "./check-spool.ts";

const { db, url } = withDatabase();
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

function makeReport(fields: Partial<Parameters<typeof recordSpoolReport>[1]> = {}) {
  const empty = { waiting: 0, oldestAtMs: null, setAside: 0, takenOver: [], asideNames: [] };
  return { spool: newId(), writer: "writer-1", host: "edge-1", ...empty, ...fields };
}

test("a problem says what is held up in all spools, and is over once everything is stored", async () => {
  const { accountId } = await addHook(db);
  const sql = createSqlDatabase({ url, poolSize: 2, applicationName: "test" });
  const job = spoolJob(sql);
  const work = () => workOnce(job);
  const find = () =>
    db.problem.findMany({ where: { accountId, kind: "spool" }, orderBy: { id: "asc" } });
  const spool = newId();
  const report = (fields: Partial<Parameters<typeof recordSpoolReport>[1]>) =>
    recordSpoolReport(db, makeReport({ spool, ...fields }));
  try {
    await report({ waiting: 3, oldestAtMs: Date.now() });
    await work();
    // A hiccup of the database.
    expect(await find()).toEqual([]);
    await report({ waiting: 5, oldestAtMs: minutesAgo(2) });
    await work();
    const oldestAtMs = minutesAgo(3);
    await report({ writer: "writer-2", waiting: 7, oldestAtMs });
    await recordSpoolReport(db, makeReport({ host: "edge-2" }));
    await work();
    // Each look finds another one: they are being stored.
    expect(await find()).toEqual([]);
    await work();
    const [opened, ...more] = await find();
    expect([opened?.state, more.length]).toEqual(["open", 0]);
    expect(opened?.details).toMatchObject({ waiting: 12, setAside: 0, hosts: ["edge-1"] });
    // The first process has taken over what the other one left.
    await report({ waiting: 9, oldestAtMs, takenOver: ["writer-2"] });
    await work();
    expect((await find())[0]?.details).toMatchObject({ waiting: 9 });
    await report({ setAside: 1, asideNames: ["writer-1-000000000001-at-515.damaged"] });
    await work();
    expect((await find())[0]).toMatchObject({
      state: "open",
      details: { waiting: 0, setAside: 1, asideNames: ["writer-1-000000000001-at-515.damaged"] },
    });
    await report({});
    await work();
    expect((await find())[0]).toMatchObject({ state: "resolved", resolution: "recovered" });
    expect(await readSpools(db)).toEqual({
      waiting: 0,
      oldestAt: null,
      setAside: 0,
      hosts: [],
      asideNames: [],
    });
  } finally {
    await sql.$disconnect();
  }
});
