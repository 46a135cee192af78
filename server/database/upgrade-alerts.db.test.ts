/** Alert rules that a migration adds for kinds of problems that came later. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { withConnection } from "./database-connection.ts";
import { migrate, readMigrations } from "./migrate.ts";

const firstNewMigration = "20261126131000_spool_rules";
const channels = [newId(), newId()];

/** The kinds of an account's rules, before and after. */
const accounts = {
  usual: [
    ["disk", "silence"],
    ["archive", "audit_failing", "clock", "database", "disk", "registration", "silence", "spool"],
  ],
  "has one": [
    ["disk", "spool"],
    ["archive", "audit_failing", "clock", "database", "disk", "spool"],
  ],
  "isn't told about the disk": [["silence"], ["registration", "silence"]],
} as const;

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const { url } = database;
  const migrations = readMigrations(migrationsFolder);
  const first = migrations.findIndex(({ name }) => name === firstNewMigration);
  await withConnection(url, async (client) => {
    await migrate({ url, client, migrations: migrations.slice(0, first) });
    for (const [name, [kinds]] of Object.entries(accounts)) {
      const id = newId();
      await client.query("insert into accounts (id, slug, name) values ($1, $1::uuid::text, $2)", [
        id,
        name,
      ]);
      for (const kind of kinds)
        await client.query(
          `insert into alert_rules (id, account_id, kind, threshold, within_seconds, channel_ids, quiet_hours, digest,
            remind_minutes, enabled) values ($1, $2, $3, 2, 900, $4, '{"days":[]}', 'daily', 30, false)`,
          [newId(), id, kind, channels],
        );
    }
    await migrate({ url, client, migrations });
  });
  db = createDatabase({ url, poolSize: 2, applicationName: "upgrade-test" });
});
afterAll(async () => {
  await db?.$disconnect();
  await database?.drop();
});

it.each(Object.entries(accounts))("rules of an account, %s: %j", async (name, [, after]) => {
  const rules = await db.alertRule.findMany({
    where: { account: { name } },
    orderBy: { kind: "asc" },
  });
  expect(rules.map(({ kind }) => kind)).toEqual(after);
});

it("the new rules tell the same people in the same way", async () => {
  const rules = await db.alertRule.findMany({ where: { account: { name: "usual" } } });
  const ruleOf = (kind: string) => rules.find((rule) => rule.kind === kind);
  const own = { id: expect.any(String), createdAt: expect.any(Date), updatedAt: expect.any(Date) };
  for (const kind of ["spool", "archive", "clock"])
    expect(ruleOf(kind)).toEqual({ ...ruleOf("disk"), ...own, kind });
  expect(ruleOf("database")).toEqual({
    ...ruleOf("disk"),
    ...own,
    kind: "database",
    remindMinutes: null,
  });
  const after = { kind: "audit_failing", threshold: 3, withinSeconds: 600 };
  expect(ruleOf("audit_failing")).toEqual({ ...ruleOf("disk"), ...own, ...after });
});
