import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { insertRules } from "#lib/db/alerts/rules.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { openProblem } from "#lib/db/problems/record-problems.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { ruleInputSchema } from "#lib/schema/watch/alert.ts";
import { planAlertsJob } from "../kinds/problems/alerts.ts";
import { workAll } from "../testing/work.ts";

const { db, url } = withDatabase();

test("a channel with a daily digest is told at once when a rule for many times says so", async () => {
  const { accountId, id: hookId } = await addHook(db);
  const channelId = newId();
  const channel = {
    id: channelId,
    accountId,
    name: "Mail",
    kind: "email",
    target: "a@example.com",
  };
  await db.alertChannel.create({ data: channel });
  const rules = [{ digest: "daily" }, { threshold: 3 }].map((rule) => ({
    id: newId(),
    ...ruleInputSchema.parse({ kind: "rejected", channelIds: [channelId], ...rule }),
  }));
  await db.$transaction((tx) => insertRules(tx, accountId, rules));
  const sql = createSqlDatabase({ url, poolSize: 2, applicationName: "test" });
  const details = { kind: "rejected", message: null } as const;
  const problem = { accountId, hookId, kind: "rejected", key: "r", details } as const;
  const happen = async () => {
    await openProblem(db, { ...problem, at: new Date() });
    await workAll(planAlertsJob({ db: sql }));
    const alerts = await db.alert.findMany({ where: { accountId } });
    return alerts.map(({ state, inDigest }) => ({ state, inDigest }));
  };
  try {
    expect(await happen()).toEqual([{ state: "held", inDigest: true }]);
    expect(await happen()).toEqual([{ state: "held", inDigest: true }]);
    expect(await happen()).toEqual([{ state: "waiting", inDigest: false }]);
    expect(await happen()).toEqual([{ state: "waiting", inDigest: false }]);
  } finally {
    await sql.$disconnect();
  }
});
