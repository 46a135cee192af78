import { afterEach, expect, inject, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { lockHook } from "#lib/db/hooks/lock-hook.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { countWaiting } from "#lib/db/testing/count-waiting.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { configurationFormat } from "#lib/schema/configuration.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { importConfiguration, readConfiguration } from "./import-configuration.ts";

const { db, url: databaseUrl } = withDatabase();
const clients: Database[] = [];
afterEach(() => Promise.all(clients.map((client) => client.$disconnect())));

/** A session that looks for a deadlock after this time, which only a superuser may set. It sees what others wait for. */
async function connect(deadlockTimeout: string): Promise<Database> {
  const { pathname } = new URL(databaseUrl);
  const url = Object.assign(new URL(inject("testAdminUrl")), { pathname }).toString();
  const client = createDatabase({ url, poolSize: 1, applicationName: "test" });
  clients.push(client);
  await client.$executeRawUnsafe(`set deadlock_timeout = '${deadlockTimeout}'`);
  return client;
}

test("an import begins again if a change of the account waits for it, and it for the change", {
  tags: "variant",
}, async () => {
  const accountId = newId();
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
  const context = testContext(db, accountId);
  await createHook(context, { name: "First" });
  const { hook } = await createHook(context, { name: "Second" });
  const hooks = ["First", "Second"].map((name) => ({ name, ratePerSecond: 7 }));
  const file = readConfiguration({ format: configurationFormat, hooks });
  const importing = { ...context, db: await connect("2s") };
  const saving = await connect("10min");
  const watching = await connect("1s");
  const imported = await saving.$transaction(
    async (tx) => {
      await lockHook(tx, accountId, hook.id);
      const options = { secrets: null, keepsCatchUrls: false, isApplied: true };
      const running = importConfiguration(importing, file, options);
      running.catch(() => {});
      await vi.waitFor(async () => expect(await countWaiting(watching)).toBe(1), {
        timeout: 60_000,
        interval: 10,
      });
      await audit({ ...context, db: saving }, { event: "hook.updated", targets: [] }, tx);
      return { running };
    },
    { timeout: 60_000 },
  );
  expect(await imported.running).toMatchObject({ ok: true });
  expect(await db.hook.count({ where: { accountId, ratePerSecond: 7 } })).toBe(2);
});
