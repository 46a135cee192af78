import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it } from "vitest";
import { idFloor } from "#lib/core/api/page.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { recordSpoolReport } from "#lib/db/spool/spool-reports.ts";
import { addPartitions } from "#lib/db/testing/fill-week.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { cancelErasure } from "#lib/services/erasures.ts";
import { findInDatabase } from "../erase/testing/find-subject.ts";
import { withLaterArrivals } from "../erase/testing/with-later-arrivals.ts";

const { db, url, hook, context, start, forget, arrive, lookOnce, settle, rulesOf, erasuresOf } =
  withLaterArrivals();

it("waits while an erasure runs, and loses nothing", async () => {
  await forget();
  const { id } = await start({ dryRun: true, values: ["someone@example.com"] });
  await arrive('{"email":"jo.doe@example.com"}');
  expect(await lookOnce()).toBe(false);
  await cancelErasure(context(), { id });
  await settle();
  expect(await findInDatabase(db)).toEqual({});
});

it("finds what is committed late, with an id from before the last look", async () => {
  await forget();
  const other = new Client({ connectionString: url });
  await other.connect();
  const early = newDelivery(hook(), { body: Buffer.from('{"email":"jo.doe@example.com"}') });
  await other.query("begin");
  await other.query(
    `insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    values ($1, $2, $3, 'accepted', now(), 'POST', '', '', '[]', 30, $4, 'verified', '127.0.0.1')`,
    [early.id, hook().accountId, hook().id, early.body],
  );
  await arrive('{"email":"someone@example.com"}');
  await settle();
  await other.query("commit");
  await other.end();
  await settle();
  expect(await findInDatabase(db)).toEqual({});
});

it("finds what was stored since, after the database was restored from a backup", async () => {
  await forget();
  await settle();
  await arrive('{"email":"jo.doe@example.com"}');
  // The backup is of a database with more transactions than the new one has.
  await db.$executeRaw`
    update erasure_watches set progress = replace(progress::text, '"snapshot":"', '"snapshot":"99:99:","was":"')::json`;
  await db.$executeRaw`
    update erasure_watches set progress = replace(progress::text, '99:99:', '99999999999:99999999999:')::json`;
  await settle();
  expect(await findInDatabase(db)).toEqual({});
});

it("finds what a spool stores with the time of its arrival", async () => {
  await forget();
  const at = Date.now() - 3 * 3_600_000;
  await addPartitions(db, new Date(at).toISOString().slice(0, 10), new Date());
  const report = { spool: hook().id, writer: "w", takenOver: [], host: "h" };
  await recordSpoolReport(db, {
    ...{ ...report, waiting: 1, oldestAtMs: at, setAside: 0, asideNames: [] },
  });
  await settle();
  await arrive({ id: idFloor(at + 1_000), body: Buffer.from('{"email":"jo.doe@example.com"}') });
  await db.spoolReport.deleteMany();
  await settle();
  expect(await findInDatabase(db)).toEqual({});
});

it("reads more than a batch, and continues where it was", async () => {
  await forget();
  const many = Array.from({ length: 250 }, (_, at) =>
    newDelivery(hook(), { body: Buffer.from(`{"n":${at},"email":"user${at}@example.com"}`) }),
  );
  await storeDeliveries(db, many);
  await arrive('{"email":"jo.doe@example.com"}');
  await arrive({ body: Buffer.from(`{"pad":"${"x".repeat(2_000_000)}"}`) });
  await arrive('{"id":"cus_jo.doe"}');
  await settle();
  expect(await findInDatabase(db)).toEqual({});
  expect((await rulesOf()).map(({ matches }) => matches)).toEqual([1, 1]);
});

it("starts an erasure once if its process is killed in between", async () => {
  await forget();
  await arrive('{"email":"jo.doe@example.com"}');
  const other = new Client({ connectionString: url });
  await other.connect();
  await other.query("begin; select from audit_chains for update");
  await db.$executeRaw`update erasure_watches set checked_at = null`;
  const script = join(import.meta.dirname, "../erase/testing/find-arrivals-once.ts");
  const child = spawn(process.execPath, [script, url], { stdio: ["ignore", "pipe", "inherit"] });
  await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  await other.end();
  expect([await erasuresOf(), (await rulesOf()).map(({ matches }) => matches)]).toEqual([
    [expect.anything()],
    [0, 0],
  ]);
  await settle();
  expect(await findInDatabase(db)).toEqual({});
  expect(await erasuresOf()).toHaveLength(2);
  expect((await rulesOf()).map(({ matches }) => matches).toSorted()).toEqual([0, 1]);
});

async function isWaiting(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`select from pg_locks where not granted`;
  return rows.length > 0;
}
