import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { readDeliveryRelations } from "./delivery-relations.ts";
import { listEventTypes } from "./list-event-types.ts";

const { db } = withDatabase();
const [account, otherAccount, hook, otherHook] = [newId(), newId(), newId(), newId()];
const day = 86_400_000;
const startMs = Date.now() - 20 * day;

type Made = { readonly id: string; readonly status: string };

/** Inserts one delivery a day, so that they are in several partitions. */
async function insert(at: number, fields: Readonly<Record<string, string | null>>): Promise<Made> {
  const {
    hookId = hook,
    status = "accepted",
    type = null,
    duplicateOf = null,
    batchId = null,
  } = fields;
  const [row] = await db.$queryRaw<{ id: string }[]>`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body,
      event_type, duplicate_of, batch_id, verification_outcome, source_ip)
    select uuid_v7_at(at), ${account}::uuid, ${hookId}::uuid, ${status}, at, 'POST', '', '', '[]'::json, 0, ''::bytea,
      ${type}, ${duplicateOf}::uuid, ${batchId}::uuid, 'verified', '192.0.2.1'
    from (select ${new Date(startMs + at * day)}::timestamptz as at) times returning id`;
  return { id: row?.id ?? "", status: status ?? "" };
}

const made: Made[] = [];

beforeAll(async () => {
  for (const id of [account, otherAccount])
    await db.account.create({ data: { id, slug: id, name: "n" } });
  for (const id of [hook, otherHook]) {
    await db.hook.create({
      data: { id, accountId: account, key: id, name: "n", provider: "generic", methods: ["POST"] },
    });
  }
  await db.$queryRaw`select ensure_weekly_partitions('deliveries', ${new Date(startMs)}, now())`;
  made.push(await insert(0, { type: "b" }));
  await insert(1, { hookId: otherHook, type: "z" });
  made.push(await insert(2, { status: "duplicate", type: "b", duplicateOf: made[0]?.id ?? null }));
  made.push(await insert(9, { status: "batch" }));
  for (const type of ["a", "c"])
    made.push(await insert(10, { type, batchId: made[2]?.id ?? null }));
  made.push(await insert(19, { status: "rejected", type: "b" }));
});

const relationsOf = (index: number, accountId = account) => {
  const { id = "", status = "" } = made[index] ?? {};
  const batchId = index === 3 || index === 4 ? (made[2]?.id ?? null) : null;
  return readDeliveryRelations(db, accountId, {
    id,
    hookId: hook,
    status: status as "accepted",
    batchId,
  });
};

it("walks a hook's deliveries by time, whatever their status and week", async () => {
  const ids = made.map(({ id }) => id).toSorted();
  for (const [index, id] of ids.entries()) {
    const { newerId, olderId } = await relationsOf(made.findIndex((one) => one.id === id));
    expect([olderId, newerId]).toEqual([ids[index - 1] ?? null, ids[index + 1] ?? null]);
  }
});

it("finds the duplicates of a delivery and the events of its request", async () => {
  const original = await relationsOf(0);
  expect(original.duplicates).toMatchObject({
    count: 1,
    items: [{ id: made[1]?.id, status: "duplicate" }],
  });
  expect(original.events.count).toBe(0);
  const events = [made[3]?.id, made[4]?.id].toSorted().toReversed();
  for (const index of [2, 3]) {
    const { events: found } = await relationsOf(index);
    expect(found.items.map(({ id }) => id)).toEqual(events);
  }
});

it("returns nothing to another account", async () => {
  expect(await relationsOf(0, otherAccount)).toEqual({
    newerId: null,
    olderId: null,
    duplicates: { items: [], count: 0 },
    events: { items: [], count: 0 },
  });
  expect(await listEventTypes(db, otherAccount, hook)).toEqual([]);
});

it("lists each event type of a hook once, sorted, without those of other hooks", async () => {
  expect(await listEventTypes(db, account, hook)).toEqual(["a", "b", "c"]);
});
