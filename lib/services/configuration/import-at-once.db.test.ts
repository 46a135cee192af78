import { expect, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { lockHead } from "#lib/db/audit/audit-log.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { configurationFormat } from "#lib/schema/configuration.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { importConfiguration, readConfiguration } from "./import-configuration.ts";

const { db, url } = withDatabase();

test("two imports of a file at once add everything once", async () => {
  const accountId = newId();
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
  const context = testContext(db, accountId);
  await createHook(context, { name: "Former" });
  const file = readConfiguration({
    format: configurationFormat,
    hooks: [{ name: "Orders" }],
    subscriptions: [{ receiverUrl: "https://customer.example.com/in" }],
  });
  const options = { secrets: null, keepsCatchUrls: false, isApplied: true };
  const clients = [1, 2].map(() => createDatabase({ url, poolSize: 1, applicationName: "test" }));
  try {
    // No import can write before both have started.
    const { imports } = await db.$transaction(
      async (tx) => {
        await lockHead(tx, accountId);
        const started = clients.map((client) =>
          importConfiguration({ ...context, db: client }, file, options),
        );
        const all = Promise.allSettled(started);
        await vi.waitFor(async () => expect(await countWaiting(db)).toBe(2), {
          timeout: 60_000,
          interval: 10,
        });
        return { imports: all };
      },
      { timeout: 90_000 },
    );
    const reports = (await imports).map((each) =>
      each.status === "fulfilled" && each.value.ok ? each.value.report.added.length : each,
    );
    expect(reports.toSorted()).toEqual([0, 2]);
    const where = { accountId };
    expect(await db.hook.count({ where: { ...where, name: "Orders" } })).toBe(1);
    expect(await db.subscription.count({ where })).toBe(1);
  } finally {
    await Promise.all(clients.map((client) => client.$disconnect()));
  }
});
