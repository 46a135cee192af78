import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import {
  acceptClock,
  listWrongClocks,
  readClock,
  readRetentionTime,
} from "#lib/db/clock/database-clock.ts";
import { storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { findRetentionEnd, removeHookDeliveriesBefore } from "#lib/db/hooks/hook-retention.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { endRuns } from "#lib/db/testing/test-runs.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { sweepRejectedBefore } from "./rejected-retention.ts";
import { sweepBefore } from "./retention.ts";

const { db, url } = withDatabase();
const [hour, day] = [3_600_000, 86_400_000];
const ago = (days: number) => new Date(Date.now() - days * day);

beforeEach(async () => {
  await emptyTables(db, "queue", "runs", "deliveries", "events", "database_clock");
});

/** Stores four deliveries with a clock that is so far off. Two of their runs stay open. */
async function storeWithClock(offMs: number): Promise<void> {
  const hook = await addHook(db, { retentionDays: 30 });
  await addAction(db, hook);
  const made = Array.from({ length: 4 }, (_, n) => {
    const at = Date.now() + offMs + n;
    const id = idFloor(at).slice(0, 14) + newId().slice(14);
    return newDelivery(hook, { id, receivedAtMs: at });
  });
  await storeDeliveries(db, made);
  const ended = await db.queuedRun.findMany({
    where: { deliveryId: { in: made.slice(0, 2).map(({ id }) => id) } },
  });
  await endRuns(
    db,
    ended.map(({ id }) => id),
    { state: "succeeded" },
  );
}

/** Everything that retention does by itself. */
async function sweepAll(): Promise<void> {
  await sweepBefore(db, ago(90), () => false);
  await sweepRejectedBefore(db, ago(14), () => false);
  for (const { id } of await db.hook.findMany({ select: { id: true } })) {
    const retained = { hookId: id, days: 30, count: null };
    await removeHookDeliveriesBefore(db, id, await findRetentionEnd(db, retained, Date.now()));
  }
}

const count = async () => [await db.delivery.count(), await db.queuedRun.count()];

describe("deliveries stay for their whole retention, and while a run is open, with a clock", () => {
  it.each([
    ["100 days behind", -100 * day],
    ["100 days ahead", 100 * day],
  ])("%s", expectKept);

  const others = [
    ["an hour behind", -hour],
    ["2 days behind", -2 * day],
    ["31 days behind", -31 * day],
    ["92 days behind", -92 * day],
    ["ten years behind", -3_650 * day],
    ["an hour ahead", hour],
    ["2 days ahead", 2 * day],
  ] as const;
  it.each(others)("%s", { tags: "variant" }, expectKept);

  async function expectKept(_name: string, offMs: number): Promise<void> {
    // Some of these weeks have tables, as in an installation that has run for long.
    for (const table of ["deliveries", "runs"])
      await db.$queryRaw`select ensure_weekly_partitions(${table}, ${ago(110)}, now())`;
    await storeWithClock(offMs);
    await sweepAll();
    await sweepAll();
    expect(await count()).toEqual([4, 2]);
    await db.$executeRaw`update deliveries set stored_at = ${ago(101)}`;
    await sweepBefore(db, ago(90), () => false);
    // Those in weeks to come go with their weeks.
    const [left = 0, open] = await count();
    const isOver = Date.now() + offMs < startOfWeek(ago(90).getTime());
    expect([left, open]).toEqual([isOver || offMs > 28 * day ? 2 : 4, 2]);
    await endRuns(
      db,
      (await db.queuedRun.findMany()).map(({ id }) => id),
      {},
    );
    await sweepBefore(db, ago(90), () => false);
    expect(await count()).toEqual([left === 2 ? 0 : 4, 0]);
  }
});

it("a week with more open runs than can be moved stays, and later ones go", async () => {
  for (const table of ["deliveries", "runs"])
    await db.$queryRaw`select ensure_weekly_partitions(${table}, ${ago(120)}, now())`;
  const hook = await addHook(db);
  const actionId = await addAction(db, hook);
  const fill = (days: number, rows: number) => db.$executeRaw`
    with made as (
      insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
        verification_outcome, source_ip, stored_at)
      select uuid_v7_at(${ago(days)}), ${hook.accountId}::uuid, ${hook.id}::uuid, 'accepted', now(), 'POST', '', '', '[]', 0, '',
        'verified', '', ${ago(days)} from generate_series(1, ${rows}::int) returning id
    )
    insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at)
    select run_id(id, 0), ${hook.accountId}::uuid, ${actionId}::uuid, ${hook.id}::uuid, id, now() from made`;
  await fill(119, 10_001);
  await fill(105, 3);
  const swept = await sweepBefore(db, ago(90), () => false);
  expect([swept.stuck.length, swept.moved, swept.strays]).toEqual([1, 3, 0]);
  expect(await count()).toEqual([10_004, 10_004]);
});

describe("the database's clock", () => {
  const read = async (nowMs = Date.now()) => {
    const db = createSqlDatabase({ url, poolSize: 2, applicationName: "test" });
    try {
      const reading = await readClock(db, { host: "here", role: "test", now: () => nowMs });
      return { ...reading, retention: (await readRetentionTime(db)).getTime() - Date.now() };
    } finally {
      await db.$disconnect();
    }
  };
  /** Its output before the restart, from its present. */
  const showed = (offMs: number) =>
    db.$executeRaw`insert into database_clock (seen_at) values (${new Date(Date.now() + offMs)})`;
  const days = (ms: number) => Math.round(ms / day) + 0;

  it.each([
    ["an hour behind", hour - 60_000, "steady", 0, 0],
    ["2 days behind", 2 * day, "behind", 2, 0],
    ["100 days behind", 100 * day, "behind", 100, 0],
    ["2 days ahead", -2 * day, "jumped", 0, -2],
    ["100 days ahead", -100 * day, "jumped", 0, -100],
  ] as const)(
    "that is %s after a restart is seen, and removes nothing too early",
    async (...row) => {
      const [, showedMs, event, behind, retention] = row;
      await showed(showedMs);
      const reading = await read();
      expect(reading.event).toBe(event);
      expect([days(reading.databaseBehindMs), days(reading.retention)]).toEqual([
        behind,
        retention,
      ]);
      const wrong = await listWrongClocks(db, 2 * hour);
      expect(wrong.map(({ host, offsetMs }) => [host, days(offsetMs)])).toEqual(
        behind === 0 ? [] : [["here", -behind]],
      );
    },
  );

  it("that is right although it was ahead can be accepted by the operator", async () => {
    await showed(100 * day);
    expect((await read()).event).toBe("behind");
    await acceptClock(db);
    expect(await read()).toMatchObject({ event: "steady", databaseBehindMs: 0 });
  });

  it("shows how far a machine's is off", async () => {
    expect(days((await read(Date.now() - 100 * day)).machineOffMs)).toBe(-100);
    expect(days((await read(Date.now() + 2 * day)).machineOffMs)).toBe(2);
  });
});
