import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findCatchHooks } from "#lib/db/hooks/catch-hook.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { openSpool } from "#lib/spool/open-spool.ts";
import { CatchSpool } from "./catch-spool.ts";

const bench = withDatabase();

test("a hook that was used without the database is as the database told it since", async () => {
  const folder = mkdtempSync(join(tmpdir(), "spool-"));
  const db = createSqlDatabase({ url: bench.url, poolSize: 2, applicationName: "test" });
  const options = { sealer: testSealer, processes: 1, minFreeBytes: 0 };
  const spool = await openSpool({ folder, broker: undefined, maxBytes: 1e9 }, options);
  const store = () => Promise.reject(new Error("Nothing is stored"));
  const caught = new CatchSpool(spool, {
    ...{ db, databaseUrl: bench.url, sealer: testSealer, now: Date.now },
    ...{ store, storeIn: () => store, isItemFault: () => false },
  });
  onTestFinished(async () => {
    await caught.stop();
    await db.$disconnect();
    rmSync(folder, { recursive: true });
  });
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
