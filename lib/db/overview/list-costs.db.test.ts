import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { encodeCursor, idFloor } from "#lib/core/api/page.ts";
import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { sampleDeliveries } from "#lib/db/deliveries/sample-deliveries.ts";
import { startOfWeek } from "#lib/db/postgres/partitions/partition-weeks.ts";
import { listRuns } from "#lib/db/runs/list-runs.ts";
import type { RunFilter } from "#lib/db/runs/run-filter.ts";
import { countReads } from "#lib/db/testing/count-reads.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { countRuns, findLastDeliveries } from "./overview.ts";

/**
 * A page costs the same regardless of the size of the tables. Counts the rows and index entries
 * that PostgreSQL reads for it, which don't depend on the speed of the machine.
 */
// One connection: its counters are flushed by the statement that reads them.
const { db } = withDatabase({ poolSize: 1 });
const [big, small, deleted] = [newId(), newId(), newId()];
const hooks = [newId(), newId(), newId()];
const [smallHook, deletedHook] = [newId(), newId()];
const [action, backlog] = [newId(), newId()];
const rows = 30_000;
const day = 86_400_000;
// The start is a Monday, like that of partitions: if the first one had only a few hours in it, the
// planner would rightly read every row.
const startMs = startOfWeek(Date.now() - 20 * day);
const limit = 20;

beforeAll(async () => {
  for (const [id, slug] of [
    [big, "big"],
    [small, "small"],
    [deleted, "deleted"],
  ] as const) {
    await db.account.create({ data: { id, slug, name: slug } });
  }
  const hook = (id: string, accountId: string, deletedAt: Date | null = null) =>
    db.hook.create({
      data: {
        id,
        accountId,
        key: id,
        name: "n",
        provider: "generic",
        methods: ["POST"],
        deletedAt,
      },
    });
  await Promise.all(hooks.map((id) => hook(id, big)));
  await hook(smallHook, small);
  await hook(deletedHook, big, new Date());
  for (const table of ["deliveries", "runs"])
    await db.$queryRaw`select ensure_weekly_partitions(${table}, ${new Date(startMs)}, now())`;
  await insert(big, [...hooks, deletedHook], rows, startMs + 1000);
  await insert(small, [smallHook], 10, startMs);
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, delivery_id, state, finished_at)
    select run_id(id, 0), account_id, ${action}::uuid, hook_id, id,
      case when right(event_id, 1) = '0' then 'failed' else 'succeeded' end, now()
    from deliveries where hook_id = any (${hooks}::uuid[])`;
  await db.$executeRawUnsafe("vacuum analyze deliveries, runs, hooks, actions");
});

async function insert(
  accountId: string,
  hookIds: string[],
  count: number,
  fromMs: number,
): Promise<void> {
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body, event_id,
      event_type, verification_outcome, source_ip)
    select uuid_v7_at(at), ${accountId}::uuid, (${hookIds}::uuid[])[1 + n % ${hookIds.length}::int],
      case when n % 1000 = 0 then 'rejected' when n % 100 = 1 then 'duplicate' else 'accepted' end,
      at, 'POST', '', '', '[]', 2, '{}', 'evt_' || n, 't' || n % 40, 'verified', '127.0.0.1'
    from (
      select n, to_timestamp(${fromMs}::float8 / 1000) + n * (interval '19 days' / ${count}::int) as at
      from generate_series(1, ${count}::int) n
    ) as made`;
}

const countReadsOf = (work: () => Promise<unknown>) =>
  countReads(db, /^(deliveries|runs|queue)/, work);

const cursors = { start: undefined, end: encodeCursor(idFloor(startMs + 2 * day)) };

it.each<[string, DeliveryFilter, number]>([
  ["all", {}, 40],
  ["one hook", { hookId: hooks[0] }, 12],
  ["a rare status", { status: "rejected" }, 12],
  ["a common status", { status: "accepted" }, 12],
  ["an event type", { eventType: "t2" }, 40],
  ["a hook, a type and a status", { hookId: hooks[1], eventType: "t2", status: "accepted" }, 12],
  // There are so few rows that the planner reads them all, once for each hook and status.
  [
    "an hour of the second week",
    { from: startMs + 10 * day, to: startMs + 10 * day + 3_600_000 },
    80,
  ],
])(
  "deliveries, %s: a page reads a bounded number of rows, at the start and at the end",
  async (_, filter, perRow) => {
    for (const cursor of [cursors.start, cursors.end]) {
      // The loop runs more often than PostgreSQL replans before it switches to one generic plan.
      for (let n = 0; n < 8; n += 1) {
        const reads = await countReadsOf(() => listDeliveries(db, big, filter, { limit, cursor }));
        expect(reads).toBeLessThan(perRow * (limit + 1));
      }
    }
  },
);

it("a small account reads its own rows, not those of a big one added later", async () => {
  for (let n = 0; n < 8; n += 1) {
    expect(await countReadsOf(() => listDeliveries(db, small, {}, { limit }))).toBeLessThan(100);
  }
  expect((await listDeliveries(db, small, {}, { limit })).items).toHaveLength(10);
});

it("the last delivery of a hook is found at once, although most statuses have none", async () => {
  for (let n = 0; n < 8; n += 1) {
    expect(await countReadsOf(() => findLastDeliveries(db, big, hooks))).toBeLessThan(60);
  }
});

it("the runs of the latest deliveries are looked up, not joined", async () => {
  for (let n = 0; n < 8; n += 1) {
    const reads = await countReadsOf(async () => {
      const { items } = await listDeliveries(db, big, {}, { limit });
      const ids = items.map(({ id }) => id);
      await countRuns(db, big, ids);
    });
    expect(reads).toBeLessThan(500);
  }
});

it("the latest deliveries of a hook are found at once, even if it has none", async () => {
  const samples = { count: 3, maxBodyBytes: 100 };
  for (const [accountId, hookId, found] of [
    [big, hooks[1] ?? "", 3],
    [big, newId(), 0],
    [small, hooks[1] ?? "", 0],
  ] as const) {
    for (let n = 0; n < 8; n += 1) {
      const reads = await countReadsOf(async () => {
        expect(await sampleDeliveries(db, accountId, hookId, samples)).toHaveLength(found);
      });
      expect(reads).toBeLessThan(20);
    }
  }
});

it("an event id is found at once, and so is one that doesn't exist", async () => {
  for (const eventId of ["evt_777", "nothing"]) {
    expect(await countReadsOf(() => listDeliveries(db, big, { eventId }, { limit }))).toBeLessThan(
      20,
    );
  }
});

it("a search scans at most 2,000 deliveries", async () => {
  const filter = { hookId: hooks[0], status: "accepted", q: "nothing" } as const;
  expect(await countReadsOf(() => listDeliveries(db, big, filter, { limit }))).toBeLessThan(5_000);
});

it.each<[string, RunFilter]>([
  ["all", {}],
  ["retrying", { status: "retrying" }],
  ["held", { status: "held" }],
  ["failed", { status: "failed" }],
  ["running", { status: "running" }],
  ["of one action", { actionId: action }],
  ["failed ones of one action", { actionId: action, status: "failed" }],
  [
    "of an hour of the second week",
    { from: startMs + 10 * day, to: startMs + 10 * day + 3_600_000 },
  ],
])(
  "runs, %s: a page reads a bounded number of rows, at the start and at the end",
  async (_, filter) => {
    for (const cursor of [cursors.start, cursors.end]) {
      for (let n = 0; n < 8; n += 1) {
        expect(await countReadsOf(() => listRuns(db, big, filter, { limit, cursor }))).toBeLessThan(
          12 * (limit + 1),
        );
      }
    }
  },
);

describe("open runs beside a backlog of another action and of another account", () => {
  beforeAll(async () => {
    await db.$executeRaw`
    insert into queue (id, account_id, target_id, hook_id, due_at, reason_code)
    select uuid_v7_at(now() + n * interval '1 ms'), case when n % 2 = 0 then ${big}::uuid else ${small}::uuid end,
      case when n % 2 = 0 then ${backlog}::uuid else ${action}::uuid end, ${hooks[0]}::uuid, now(),
      case when n = 2 then 'timeout' end
    from generate_series(1, 40000) n`;
    await db.$executeRaw`
    insert into queue (id, account_id, target_id, hook_id, due_at, lease_id)
    select uuid_v7_at(now() - n * interval '1 hour'), ${big}::uuid, ${action}::uuid, ${hooks[0]}::uuid, now() - interval '1 hour',
      case when n < 4 then gen_random_uuid() end
    from generate_series(1, 300) n`;
  });

  it.each<[RunFilter, number]>([
    [{ status: "running" }, 3],
    [{ status: "held" }, limit],
    [{ actionId: action, status: "held" }, limit],
    [{ status: "retrying" }, 0],
    [{}, limit],
    // Runs in flight are among the first 250 that are due in each action queue.
  ])("%o are found", async (filter, count) => {
    const reads = await countReadsOf(async () =>
      expect((await listRuns(db, big, filter, { limit })).items).toHaveLength(count),
    );
    expect(reads).toBeLessThan(700);
  });
});
