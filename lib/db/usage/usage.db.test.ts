import { beforeEach, expect, it } from "vitest";
import { eraseEvent, removeDelivery } from "#lib/db/deliveries/delete-delivery.ts";
import { sweepRejectedBefore } from "#lib/db/deliveries/retention/rejected-retention.ts";
import { sweepBefore } from "#lib/db/deliveries/retention/retention.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import {
  findRetentionEnd,
  listRetainedHooks,
  removeHookDeliveriesBefore,
} from "#lib/db/hooks/hook-retention.ts";
import { purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { endOf } from "#lib/db/postgres/partitions/kept-weeks.ts";
import {
  createSqlDatabase,
  type SqlDatabase,
  type SqlStatements,
} from "#lib/db/postgres/sql-database.ts";
import { recountHours } from "#lib/db/statistics/statistics-roll-up.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { fillWeek, weeksAgo } from "#lib/db/testing/fill-week.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { endRuns, readRuns } from "#lib/db/testing/test-runs.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { countUsage } from "./count-usage.ts";
import { listUsage, type UsageFilter } from "./list-usage.ts";
import { settleCounts, sumStored } from "./testing/settle-counts.ts";

const { db, url } = withDatabase();
const day = 86_400_000;
const usage = ["usage_days", "usage_hours", "usage_recounts", "usage_progress"];

// Otherwise each test would count the hours of those before it again.
beforeEach(() => emptyTables(db, "accounts", "deliveries", "events", "runs", "queue", ...usage));

async function read(accountId: string, filter: Partial<UsageFilter> = {}, limit = 200) {
  const nowMs = Date.now();
  const range = { fromMs: nowMs - 100 * day, toMs: nowMs + day };
  const page = { limit, nowMs };
  return (await listUsage(db, accountId, { by: "day", ...range, ...filter }, page)).items;
}

/** As after the update that makes the tables: everything stored is counted from now on. */
async function forgetCounts(): Promise<void> {
  await emptyTables(db, ...usage);
}

async function totals(accountId: string) {
  await settleCounts(db);
  const [days, hooks, recipients] = [
    await read(accountId),
    await read(accountId, { by: "hook" }),
    await read(accountId, { by: "recipient" }),
  ];
  const sum = (rows: typeof days) =>
    rows.reduce(
      (all, { key: _, ...row }) => ({
        deliveries: all.deliveries + row.deliveries,
        bytes: all.bytes + row.bytes,
        events: all.events + row.events,
        sends: all.sends + row.sends,
        calls: all.calls + row.calls,
      }),
      { deliveries: 0, bytes: 0, events: 0, sends: 0, calls: 0 },
    );
  expect(sum([...hooks, ...recipients])).toEqual(sum(days));
  return sum(days);
}

it("usage is the sum of the stored rows, and stays when they are removed in any way", async () => {
  const week = weeksAgo(5);
  const { hook } = await fillWeek(db, week);
  const { accountId } = hook;
  const stored = await sumStored(db, accountId);
  expect(stored).toMatchObject({ deliveries: 40, events: 9, sends: 9 });
  // Nothing is counted yet, so all of it is read from the rows.
  expect(await read(accountId, { by: "hook" })).toMatchObject([{ key: hook.id, deliveries: 40 }]);
  expect(await totals(accountId)).toEqual(stored);
  expect(await db.usageProgress.findFirst()).toMatchObject({ countedFrom: new Date(0) });

  const [first] = await db.delivery.findMany({ where: { eventId: "evt_3" } });
  const [event] = await db.event.findMany({ where: { publicId: "evt_9" } });
  await db.$transaction(async (tx) => {
    expect(await removeDelivery(tx, accountId, first?.id ?? "")).toBe(true);
    expect(await eraseEvent(tx, accountId, event?.id ?? "")).toBe(true);
  });
  expect(await sumStored(db, accountId)).not.toEqual(stored);
  expect(await totals(accountId)).toEqual(stored);

  // Some are removed before their last call is counted, and others have a call later.
  const open = (await readRuns(db, { accountId })).filter(({ state }) => state === "queued");
  await endRuns(db, [open[0]?.id ?? ""]);
  await db.hook.update({ where: { id: hook.id }, data: { retentionCount: 10 } });
  const [retained] = await listRetainedHooks(db);
  if (retained === undefined) throw new Error("The hook keeps everything");
  const end = await findRetentionEnd(db, retained, Date.now());
  expect(await removeHookDeliveriesBefore(db, hook.id, end, { batchRows: 4 })).toBeGreaterThan(20);
  await endRuns(db, [open[1]?.id ?? ""]);
  await recountHours(db, [open[1]?.id ?? ""]);
  const called = { ...stored, calls: stored.calls + 2 };
  expect(await totals(accountId)).toEqual(called);

  await db.$executeRaw`update deliveries set status = 'rejected' where account_id = ${accountId}::uuid and event_id = 'evt_40'`;
  expect(await sweepRejectedBefore(db, endOf(week), () => false)).toBe(1);
  expect(await totals(accountId)).toEqual(called);

  const { moved } = await sweepBefore(db, endOf(week), () => false);
  expect(moved).toBe(0);
  expect(await db.delivery.count({ where: { accountId } })).toBe(0);
  expect(await totals(accountId)).toEqual(called);
  expect(await read(accountId, { by: "hook", hookId: hook.id })).toMatchObject([
    { deliveries: 40 },
  ]);
});

it("what was stored of a deleted hook stays, and what it called until then", async () => {
  const { hook } = await fillWeek(db, weeksAgo(2));
  await forgetCounts();
  const before = await totals(hook.accountId);
  const [open] = (await readRuns(db, { hookId: hook.id })).filter(
    ({ state }) => state === "queued",
  );
  await endRuns(db, [open?.id ?? ""]);
  await db.hook.update({ where: { id: hook.id }, data: { deletedAt: new Date() } });
  while (!(await purgeDeletedHooks(db)).isDone);
  expect(await db.delivery.count({ where: { accountId: hook.accountId } })).toBe(0);
  expect(await totals(hook.accountId)).toEqual({ ...before, calls: before.calls + 1 });
});

it("sends count for the recipient of their subscription, also once that is gone", async () => {
  const accountId = await addAccount(db);
  const target = await addSubscription(db, accountId, { recipient: "cust_42" });
  const event = newEvent(accountId, { recipient: "cust_42", dataJson: '"abc"' });
  await storeEvents(db, [event, newEvent(accountId)]);
  await db.$executeRaw`
    update queue set attempt_count = 2, reason_code = 'test' where target_id = ${target}::uuid`;
  const sent = { key: "cust_42", bytes: event.body.length, events: 1, sends: 1, calls: 2 };
  expect(await read(accountId, { by: "recipient" })).toMatchObject([{ key: "", events: 1 }, sent]);
  expect(await read(accountId, { recipient: "cust_42" })).toMatchObject([
    { events: 1, sends: 1, calls: 2 },
  ]);
  await db.subscription.delete({ where: { id: target } });
  expect(await read(accountId, { by: "recipient" })).toMatchObject([{ key: "", events: 1 }, sent]);
});

it("pages begin after the last row, and ranges are whole days", async () => {
  const { hook } = await fillWeek(db, weeksAgo(1), 1_000);
  const { accountId } = hook;
  await forgetCounts();
  await settleCounts(db);
  const all = await read(accountId);
  expect(all.length).toBeGreaterThan(2);
  const range = { fromMs: Date.now() - 100 * day, toMs: Date.now() + day, by: "day" as const };
  const found: string[] = [];
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = { limit: 2, cursor, nowMs: Date.now() };
    const { items, nextCursor } = await listUsage(db, accountId, range, page);
    found.push(...items.map(({ key }) => key));
    cursor = nextCursor;
  }
  expect(found).toEqual(all.map(({ key }) => key));
  const fromMs = Date.parse(all[1]?.key ?? "");
  expect(await read(accountId, { fromMs, toMs: fromMs + day })).toEqual([all[1]]);
});

it("only one process counts at a time, and nothing twice", async () => {
  const { hook } = await fillWeek(db, weeksAgo(3));
  const stored = await sumStored(db, hook.accountId);
  await forgetCounts();
  for (let isMore = true; isMore; ) {
    const done = await Promise.all([countUsage(db), countUsage(db), countUsage(db)]);
    isMore = done.includes(true);
  }
  expect(await totals(hook.accountId)).toEqual(stored);
});

/** Loses its connection before the statement at this place in a transaction. The last one is the commit. */
function killedBefore(place: number): SqlDatabase {
  const limits = { connectTimeoutMs: 60_000, statementTimeoutMs: 120_000 };
  const killed = createSqlDatabase({ url, poolSize: 1, applicationName: "killed", ...limits });
  const $transaction: SqlDatabase["$transaction"] = (run) =>
    killed.$transaction(async (tx) => {
      let statements = 0;
      const step = async () => {
        statements += 1;
        if (statements !== place) return;
        const [row] = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await db.$queryRaw`select pg_terminate_backend(${row?.pid}::int, 60000)`;
      };
      const result = await run({
        async $queryRaw<Rows>(...statement: Parameters<SqlStatements["$queryRaw"]>) {
          await step();
          return await tx.$queryRaw<Rows>(...statement);
        },
        async $executeRaw(...statement) {
          await step();
          return await tx.$executeRaw(...statement);
        },
      });
      await step();
      return result;
    });
  return { ...killed, $transaction };
}

it("a count that is killed at any moment leaves nothing half done", async () => {
  const { hook } = await fillWeek(db, weeksAgo(3), 100);
  await forgetCounts();
  await countUsage(db);
  let kills = 0;
  // Until no transaction has so many statements.
  for (let place = 1; kills === place - 1; place += 1) {
    await db.$executeRaw`
      insert into usage_recounts select distinct hour, now() from usage_hours on conflict (hour) do update set recount_at = now()`;
    const killed = killedBefore(place);
    const counting = async () => {
      while (await countUsage(killed));
    };
    await counting().catch(() => {
      kills += 1;
    });
    await killed.$disconnect();
  }
  expect(kills).toBeGreaterThan(8);
  expect(await totals(hook.accountId)).toEqual(await sumStored(db, hook.accountId));
});
