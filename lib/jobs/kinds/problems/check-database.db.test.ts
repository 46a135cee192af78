import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { insertRules } from "#lib/db/alerts/rules.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { notifyOutages, outageCountsBeyondMs, recordOutage } from "#lib/db/problems/outages.ts";
import { recordSpoolReport } from "#lib/db/spool/spool-reports.ts";
import { startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { workOnce } from "#lib/jobs/testing/work.ts";
import { ruleInputSchema } from "#lib/schema/watch/alert.ts";
import { planAlertsJob } from "./alerts.ts";
import { databaseJob } from "./check-database.ts";

const { db, url } = withDatabase();
const empty = { waiting: 0, oldestAtMs: null, setAside: 0, asideNames: [], takenOver: [] };

async function addAccount(): Promise<string> {
  const { accountId } = await addHook(db);
  const channel = { id: newId(), accountId, name: "Ops", kind: "email", target: "ops@example.com" };
  await db.alertChannel.create({ data: channel });
  const rule = ruleInputSchema.parse({ kind: "database", channelIds: [channel.id] });
  await db.$transaction((tx) => insertRules(tx, accountId, [{ id: newId(), ...rule }]));
  return accountId;
}
const readProblems = (accountId: string) =>
  db.problem.findMany({ where: { accountId, kind: "database" }, orderBy: { id: "asc" } });

test.each([
  ["30 s", 30_000, [30]],
  ["just over ten seconds", outageCountsBeyondMs + 1_000, [11]],
  ["a moment", 3_000, []],
])(
  "a database that was away for %s is a problem afterwards, or a hiccup",
  async (_name, awayMs, seconds) => {
    const accountId = await addAccount();
    const proxy = await startFaultProxy(url);
    const sql = createSqlDatabase({ url: proxy.url, poolSize: 1, applicationName: "test" });
    let nowMs = Date.now() - awayMs;
    const job = databaseJob(sql, () => nowMs);
    try {
      await workOnce(job);
      proxy.setMode("refuse");
      await expect(workOnce(job)).rejects.toThrow();
      nowMs += awayMs / 2;
      await expect(workOnce(job)).rejects.toThrow();
      nowMs += awayMs / 2;
      proxy.setMode("pass");
      await workOnce(job);
      await workOnce(job);
      const problems = await readProblems(accountId);
      expect(problems.map(({ state, details }) => [state, details])).toEqual(
        seconds.map((count) => ["open", { kind: "database", deliveries: 0, seconds: count }]),
      );
    } finally {
      await sql.$disconnect();
      await proxy.close();
    }
  },
);

test("an outage is one problem and one message for all that saw it, with what all spools took", async () => {
  const accountId = await addAccount();
  const sql = createSqlDatabase({ url, poolSize: 2, applicationName: "test" });
  const readAlerts = () => db.alert.findMany({ where: { accountId } });
  const plan = () => workOnce(planAlertsJob({ db: sql }));
  const spool = newId();
  const report = (waiting: number) =>
    recordSpoolReport(sql, { ...empty, spool, writer: "writer-1", host: "edge-1", waiting });
  const until = Date.now() - 8_000;
  try {
    await report(4_262);
    await recordOutage(sql, { fromMs: until - 21_000, untilMs: until, deliveries: 6_000 });
    await notifyOutages(sql);
    await plan();
    expect(await readAlerts()).toEqual([]);
    await recordOutage(sql, { fromMs: until - 20_000, untilMs: until, deliveries: 0 });
    await recordOutage(sql, { fromMs: until - 22_000, untilMs: until - 1_000, deliveries: 4_262 });
    await report(0);
    await notifyOutages(sql);
    await plan();
    const [problem, ...more] = await readProblems(accountId);
    expect([problem?.details, problem?.count, more.length]).toEqual([
      { kind: "database", deliveries: 10_262, seconds: 22 },
      1n,
      0,
    ]);
    await db.$executeRaw`update problems set last_at = now() - interval '6 minutes' where account_id = ${accountId}::uuid`;
    await notifyOutages(sql);
    await plan();
    expect((await readProblems(accountId)).map(({ state }) => state)).toEqual(["resolved"]);
    expect((await readAlerts()).map(({ event }) => event)).toEqual(["opened"]);
    // The next one is another problem.
    await recordOutage(sql, { fromMs: Date.now() - 60_000, untilMs: Date.now(), deliveries: 1 });
    expect((await readProblems(accountId)).map(({ state }) => state)).toEqual(["resolved", "open"]);
  } finally {
    await sql.$disconnect();
  }
});

test("two outages in a row count together, and twice", async () => {
  const accountId = await addAccount();
  const sql = createSqlDatabase({ url, poolSize: 2, applicationName: "test" });
  const ago = (seconds: number) => Date.now() - seconds * 1_000;
  try {
    await recordOutage(sql, { fromMs: ago(120), untilMs: ago(100), deliveries: 5 });
    await recordOutage(sql, { fromMs: ago(40), untilMs: ago(10), deliveries: 7 });
    // Another process saw the second one too.
    await recordOutage(sql, { fromMs: ago(39), untilMs: ago(10), deliveries: 0 });
    const [problem] = await readProblems(accountId);
    expect([problem?.details, problem?.count]).toEqual([
      { kind: "database", deliveries: 12, seconds: 50 },
      2n,
    ]);
  } finally {
    await sql.$disconnect();
  }
});
