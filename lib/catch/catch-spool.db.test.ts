import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { findCatchHooks } from "#lib/db/hooks/catch-hook.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { cancelStatements } from "#lib/db/testing/cancel-statements.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addHook, readDeliveries } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import type { SpoolDatabase } from "#lib/spool/drain-batches.ts";
import { openSpool } from "#lib/spool/open-spool.ts";
import { testKeys } from "#lib/spool/testing/test-keys.ts";
import { CatchSpool } from "./catch-spool.ts";

const bench = withDatabase();

/** A spool in a folder of its own, and connections with the time limit of the catch path. */
async function openCatchSpool(store: (db: SqlDatabase) => SpoolDatabase["store"]) {
  const folder = mkdtempSync(join(tmpdir(), "spool-"));
  const connection = { poolSize: 2, applicationName: "test", statementTimeoutMs: 4_000 };
  const db = createSqlDatabase({ url: bench.url, ...connection });
  const options = { sealer: testSealer, keys: testKeys, processes: 1, minFreeBytes: 0 };
  const spool = await openSpool({ folder, broker: undefined, maxBytes: 1e9 }, options);
  const caught = new CatchSpool(spool, {
    ...{ db, databaseUrl: bench.url, sealer: testSealer, now: Date.now },
    ...{ store: store(db), storeIn: store, isItemFault: () => false },
  });
  onTestFinished(async () => {
    await caught.stop();
    await db.$disconnect();
    rmSync(folder, { recursive: true });
  });
  return { caught, db };
}

test("a hook that was used without the database is as the database told it since", async () => {
  const { caught, db } = await openCatchSpool(
    () => () => Promise.reject(new Error("Nothing is stored")),
  );
  const hook = await addHook(bench.db);
  const [, , accountSlug = "", hookKey = ""] = hook.path.split("/");
  const url = { accountSlug, hookKey };
  const tell = async () => caught.record([url], await findCatchHooks(db, [url]));
  const find = async () => (await caught.fallback.find(url))?.methods;
  await tell();
  expect(await find()).toEqual(hook.methods);
  await bench.db.hook.update({ where: { id: hook.id }, data: { methods: ["PUT"] } });
  // It is asked for again with the connection, while deliveries arrive.
  const earlier = find();
  await tell();
  await earlier;
  expect(await find()).toEqual(["PUT"]);
  await bench.db.hook.update({ where: { id: hook.id }, data: { deletedAt: new Date() } });
  await tell();
  expect(await find()).toBeUndefined();
});

test("response times that take long to record hold up nothing that waits", async () => {
  const hook = await addHook(bench.db);
  let isAway = true;
  const { caught } = await openCatchSpool((db) => async (deliveries) => {
    if (isAway) throw new Error("away");
    return await storeDeliveries(db, deliveries);
  });
  // Those of thousands of events may take that long on a slow disk.
  await cancelStatements(bench.db, {
    name: "take_long",
    rows: "before update on deliveries for each row",
    onlyShort: true,
  });
  const receivedAtMs = Date.now() - 90_000;
  await caught.store.store([newDelivery(hook, { receivedAtMs })]);
  isAway = false;
  await expect.poll(() => caught.store.state.deliveries).toBe(0);
  const [stored] = await readDeliveries(bench.db, hook);
  expect(stored?.responseMs).toBeGreaterThanOrEqual(90_000);
});
