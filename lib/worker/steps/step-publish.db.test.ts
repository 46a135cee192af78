import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { toNewEvent } from "#lib/core/sending/to-new-event.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { patience } from "../testing/with-worker-queue.ts";
import { withSteps } from "./testing/with-steps.ts";

const { queue, untilFinished, run } = await withSteps();

const publish = (data: object) => ({ key: "tell", kind: "publish", type: "order.paid", data });
const listEvents = (accountId: string) => queue.db.event.findMany({ where: { accountId } });

async function addType(accountId: string, onMismatch: "warn" | "reject") {
  const schema = { type: "object", properties: { total: { type: "integer" } } };
  await queue.db.eventType.create({ data: { accountId, name: "order.paid", schema, onMismatch } });
}

it("data that its type rejects is not published, and the step says what is wrong", async () => {
  const made = await run([publish({ total: "{{ id }}" })]);
  await addType(made.accountId, "reject");
  await using _worker = startTestWorker({ url: queue.url });
  expect(await untilFinished(made.id)).toMatchObject({
    state: "failed",
    reason: "schema_mismatch: Step tell: Not published as order.paid. data.total: must be integer.",
  });
  expect(await listEvents(made.accountId)).toEqual([]);
});

it("data that differs from a schema that only warns is published with a warning", async () => {
  const made = await run([publish({ total: "{{ id }}" })]);
  await addType(made.accountId, "warn");
  await using _worker = startTestWorker({ url: queue.url });
  expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
  expect(await listEvents(made.accountId)).toMatchObject([
    { warning: "data.total: must be integer" },
  ]);
});

it("an event of more than 1 MiB is not published", async () => {
  const actionQueue = await queue.addActionQueue({ steps: [publish({ text: "{{ payload }}" })] });
  const body = JSON.stringify("x".repeat(1024 * 1024));
  const [id = ""] = await queue.addRuns(actionQueue, 1, { body });
  await using _worker = startTestWorker({ url: queue.url });
  expect(await untilFinished(id)).toMatchObject({
    state: "failed",
    reason: "event_too_large: Step tell: An event can have at most 1 MiB",
  });
  expect(await listEvents(actionQueue.accountId)).toEqual([]);
});

it("an event that can't be checked for a moment waits, and is published later", async () => {
  const made = await run([publish({ total: 1 })]);
  await queue.db.$executeRaw`alter table event_types rename to event_types_away`;
  await using _worker = startTestWorker({ url: queue.url });
  await expect
    .poll(() => queue.readRun(made.id), patience)
    .toMatchObject({
      reason: expect.stringMatching(/^retry: .* can't be checked/),
      lease_id: null,
    });
  await queue.db.$executeRaw`alter table event_types_away rename to event_types`;
  await retryRun(testContext(queue.db, made.accountId), { id: made.id });
  expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
  expect(await listEvents(made.accountId)).toHaveLength(1);
});

it("a step whose first try a crash hid succeeds, although its data has changed since", async () => {
  const { id, accountId } = await run([publish({ at: "{{ 'now' | date: '%s' }}" })]);
  const event = { type: "order.paid", recipient: null, occurredAtMs: null, publicId: null };
  const arrival = { id: newId(), accountId, givenId: `${id}-tell`, receivedAtMs: 0, warning: null };
  await storeEvents(queue.db, [
    toNewEvent(arrival, { ...event, version: null, dataJson: '{"at":"0"}' }),
  ]);
  await using _worker = startTestWorker({ url: queue.url });
  expect(await untilFinished(id)).toMatchObject({ state: "succeeded" });
  expect(await listEvents(accountId)).toHaveLength(1);
});

it("a step that is done again publishes nothing twice, and fails if its data has changed", async () => {
  const made = await run([publish({ total: 1 })]);
  await using _worker = startTestWorker({ url: queue.url });
  expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
  const again = () =>
    retryRun(testContext(queue.db, made.accountId), { id: made.id, fromStep: "tell" });
  await again();
  expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
  const steps = [publish({ total: 2 })];
  await queue.db.action.updateMany({ where: { accountId: made.accountId }, data: { steps } });
  await again();
  expect(await untilFinished(made.id)).toMatchObject({
    state: "failed",
    reason: expect.stringMatching(/^event_conflict: Step tell: Not published: /),
  });
  const events = await listEvents(made.accountId);
  expect(events.map(({ body }) => Buffer.from(body).toString())).toEqual([
    expect.stringContaining('"data":{"total":1}'),
  ]);
});
