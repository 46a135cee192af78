import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { compileSchema } from "#lib/core/sending/event-schema.ts";
import { toNewEvent } from "#lib/core/sending/to-new-event.ts";
import { upsertEventTypes } from "#lib/db/event-types/event-types.ts";
import { addTypeVersion, changeTypeVersion } from "#lib/db/event-types/type-versions.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { type ReceivedCall, startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue } = await withWorkerQueue();
const { addSubscription } = sendFixture(queue.db, testSealer);
const name = "order.paid";

/** The data of each version, its schema, and how it becomes that of the one before. */
const shapes = {
  first: {
    schema: shape({ total: { type: "string" }, customer: { type: "string" } }),
    data: (n: number) => `{"total":"${n}.00","customer":"cus_${n}"}`,
    transform: null,
  },
  "2026-03-01": {
    schema: shape({ total: { type: "integer" }, customer: { type: "string" } }),
    data: (n: number) => `{"total":${n}00,"customer":"cus_${n}"}`,
    transform: `export default ({ payload: { data } }) =>
      ({ total: (data.total / 100).toFixed(2), customer: data.customer })`,
  },
  "2026-09-01": {
    schema: shape({ total: { type: "integer" }, customer: shape({ id: { type: "string" } }) }),
    data: (n: number) => `{"total":${n}00,"customer":{"id":"cus_${n}"}}`,
    transform: `export default ({ payload: { data } }) => ({ ...data, customer: data.customer.id })`,
  },
};
type Version = keyof typeof shapes;
const versions = Object.keys(shapes) as Version[];

function shape(properties: Record<string, JsonValue>): JsonValue {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

async function setUp(receiverUrl: string) {
  const accountId = await queue.addAccount();
  const { schema } = shapes.first;
  await queue.db.$transaction((tx) =>
    upsertEventTypes(tx, accountId, [
      {
        ...{ name, schema, example: null, description: null },
        deprecated: false,
        onMismatch: "reject",
      },
    ]),
  );
  for (const version of versions) {
    const { id } = await addSubscription(accountId, { receiverUrl: `${receiverUrl}/${version}` });
    await queue.db.subscription.update({ where: { id }, data: { payloadVersion: version } });
  }
  const owner = { accountId, name };
  const moveTo = (version: Version) =>
    queue.db.$transaction((tx) =>
      addTypeVersion(tx, owner, { ...shapes[version], version, example: null, note: null }),
    );
  const publish = async (version: Version, from: number, count: number) => {
    const events = Array.from({ length: count }, (_, index) => {
      const arrival = { id: newId(), accountId, givenId: null, receivedAtMs: Date.now() };
      const event = { publicId: null, type: name, recipient: null, occurredAtMs: null, version };
      const dataJson = shapes[version].data(from + index);
      return toNewEvent({ ...arrival, warning: null }, { ...event, dataJson });
    });
    for (let at = 0; at < count; at += 500) await storeEvents(queue.db, events.slice(at, at + 500));
    notifyRunsDue(queue.db);
  };
  return { owner, moveTo, publish };
}

/** The version that a subscription of the test is pinned to, by its URL. */
const versionOf = ({ path }: ReceivedCall) => path.split("/").at(-1) ?? "";

async function prove(perVersion: number): Promise<void> {
  // A send that a busy machine didn't finish in time is sent again, with the same bytes.
  const bodies = new Map<string, Set<string>>(versions.map((version) => [version, new Set()]));
  await using receiver = await startReceiver((response, call) => {
    bodies.get(versionOf(call))?.add(call.body);
    response.end();
  });
  await using _worker = startTestWorker({ url: queue.url });
  const { moveTo, publish } = await setUp(receiver.url);
  for (const [index, version] of versions.entries()) {
    if (version !== "first") await moveTo(version);
    await publish(version, index * perVersion, perVersion);
  }
  const all = perVersion * versions.length;
  // 30,000 calls, which a busy machine makes at 100 a second.
  const patience = { timeout: 600_000 };
  for (const version of versions)
    await expect.poll(() => bodies.get(version)?.size, patience).toBe(all);
  for (const [place, version] of versions.entries()) {
    const validate = versions.map((each) => compileSchema(shapes[each].schema));
    for (const body of bodies.get(version) ?? []) {
      const event = JSON.parse(body);
      const own = versions.indexOf(event.version ?? "first");
      // An event from before its version stays as it was published.
      const n = Number(String(event.data.customer.id ?? event.data.customer).slice(4));
      expect(own).toBe(Math.min(place, Math.floor(n / perVersion)));
      expect([validate[own]?.(event.data), n, body]).toEqual([true, n, body]);
    }
  }
}

it("three subscriptions get their versions while the publisher moves on", () => prove(50));

it(
  "10,000 events for three subscriptions are valid in their versions",
  {
    tags: "variant",
    timeout: 900_000,
  },
  () => prove(3_334),
);

it("a version that has ended is followed by the next, and a transform that fails says so", async () => {
  const calls: string[] = [];
  await using receiver = await startReceiver((response, call) => {
    calls.push(versionOf(call));
    response.end();
  });
  await using _worker = startTestWorker({ url: queue.url });
  const { owner, moveTo, publish } = await setUp(receiver.url);
  await moveTo("2026-03-01");
  await queue.db.eventType.update({
    where: { accountId_name: owner },
    data: { transform: "export default () => { throw new Error('no rate') }" },
  });
  await publish("2026-03-01", 0, 1);
  const readReasons = async () => {
    const rows = await queue.db.$queryRaw<{ id: string }[]>`select id from queue`;
    return JSON.stringify(await Promise.all(rows.map(({ id }) => queue.readRun(id))));
  };
  await expect.poll(readReasons).toMatch(/from version 2026-03-01 to first failed: [^"]*no rate/);
  await expect.poll(() => calls.toSorted()).toEqual(["2026-03-01", "2026-09-01"]);
  await queue.db.$transaction((tx) =>
    changeTypeVersion(
      tx,
      { ...owner, version: "first" },
      { endsAt: new Date(), note: null, transform: null },
    ),
  );
  await publish("2026-03-01", 1, 1);
  await expect.poll(() => calls.includes("first")).toBe(true);
});

it("while the database can't be asked for the versions, a send waits without an attempt", async () => {
  const calls: string[] = [];
  await using receiver = await startReceiver((response, call) => {
    calls.push(versionOf(call));
    response.end();
  });
  let failures = 0;
  const wrapDatabase = (db: SqlDatabase): SqlDatabase => ({
    ...db,
    async $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]) {
      if (failures < 4 && query.join("").includes("from event_type_versions")) {
        failures += 1;
        throw new Error("timeout exceeded when trying to connect");
      }
      return await db.$queryRaw<Rows>(query, ...values);
    },
  });
  await using _worker = startTestWorker({ url: queue.url, wrapDatabase });
  const { moveTo, publish } = await setUp(receiver.url);
  await moveTo("2026-03-01");
  await publish("2026-03-01", 1, 1);
  await expect.poll(() => calls.toSorted()).toEqual(versions.toSorted());
  expect(failures).toBe(4);
  const readRuns = () => queue.db.$queryRaw<{ state: string; attempts: number }[]>`
    select state, attempt_count as attempts from runs where event_id = (select max(id::text)::uuid from events)`;
  await expect.poll(readRuns).toEqual(versions.map(() => ({ state: "succeeded", attempts: 1 })));
});
