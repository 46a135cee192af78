import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { toNewEvent } from "#lib/core/sending/to-new-event.ts";
import { upsertEventTypes } from "#lib/db/event-types/event-types.ts";
import { addTypeVersion } from "#lib/db/event-types/type-versions.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { type ReceivedCall, startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { addSubscription, addEvent } = sendFixture(queue.db, testSealer);

type Options = Parameters<typeof addSubscription>[1];

async function addTransformed(accountId: string, transform: string, options: Options) {
  const subscription = await addSubscription(accountId, options);
  await setTransform(subscription.id, transform);
  return subscription;
}

async function setTransform(id: string, transform: string): Promise<void> {
  await queue.db.subscription.update({ where: { id }, data: { transform } });
}

const verify = ({ headers, body }: ReceivedCall, secret: string) =>
  new StandardWebhook(secret).verify(body, headers as Record<string, string>);

it("a pinned subscription's transform reads its version, and each try sends the same signed bytes", async () => {
  const responses = [503, 200];
  await using receiver = await startReceiver((response) => {
    response.writeHead(responses.shift() ?? 500).end();
  });
  await using _worker = startTestWorker({ url: queue.url });
  const accountId = await queue.addAccount();
  const owner = { accountId, name: "order.paid" };
  await queue.db.$transaction(async (tx) => {
    const type = { ...owner, schema: null, example: null, description: null };
    await upsertEventTypes(tx, accountId, [{ ...type, deprecated: false, onMismatch: "reject" }]);
    await addTypeVersion(tx, owner, {
      ...{ version: "2026-03-01", schema: null, example: null, note: null },
      transform: "export default ({ payload: { data } }) => ({ total: data.cents })",
    });
  });
  // Its clock and its random numbers are those of the event, not of the try.
  const { secret, id: subscriptionId } = await addTransformed(
    accountId,
    `export default ({ payload: { id, type, version, data } }) => ({
      id, type, version, text: "Paid " + String(data.total), exact: data.total,
      now: Date.now(), random: Math.random(),
    })`,
    {
      receiverUrl: receiver.url,
      retry: { maxAttempts: 3, initialDelayMs: 1_000, maxDelayMs: 1_000, on: [] },
    },
  );
  await queue.db.subscription.update({
    where: { id: subscriptionId },
    data: { payloadVersion: "first" },
  });
  const eventId = newId();
  const arrival = { id: eventId, accountId, givenId: null, receivedAtMs: Date.now() };
  const event = toNewEvent(
    { ...arrival, warning: null },
    {
      ...{ publicId: null, type: owner.name, recipient: null, occurredAtMs: null },
      ...{ version: "2026-03-01", dataJson: '{"cents":123456789012345678901234}' },
    },
  );
  await storeEvents(queue.db, [event]);
  notifyRunsDue(queue.db);

  await expect.poll(() => receiver.calls.length).toBe(2);
  const [first, second] = receiver.calls;
  if (first === undefined || second === undefined) throw new Error("nothing was received");
  expect(second.body).toBe(first.body);
  expect(first.body).toContain('"exact":123456789012345678901234');
  expect(JSON.parse(first.body)).toMatchObject({ type: "order.paid", random: expect.any(Number) });
  // The version before has no name.
  expect(JSON.parse(first.body)).not.toHaveProperty("version");
  for (const call of [first, second]) {
    expect(verify(call, secret)).toEqual(JSON.parse(first.body));
    expect(call.headers["webhook-id"]).toBe(eventId);
  }
  const [run] = await queue.db.$queryRaw<{ id: string }[]>`
    select id from runs union all select id from queue`;
  const id = run?.id ?? "";
  expect((await untilFinished(id)).state).toBe("succeeded");
  const attempts = await queue.readAttempts(id);
  const sent = attempts.map(({ request }) => JSON.parse(request ?? "{}").body);
  expect(sent).toEqual([first.body, first.body]);
});

it("a transform that fails is the reason of the send, which goes out once it is corrected and retried", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  const accountId = await queue.addAccount();
  const broken = "export default ({ payload }) => {\n  return payload.data.order.id;\n}";
  const subscription = await addTransformed(accountId, broken, { receiverUrl: receiver.url });
  const { runIds } = await addEvent([subscription], { amount: 1 });
  const id = runIds[0] ?? "";
  notifyRunsDue(queue.db);
  const failed = await untilFinished(id);
  expect(failed.state).toBe("failed");
  expect(failed.reason).toMatch(
    /^transform_threw: The transform failed in line 2, column \d+: TypeError/,
  );
  const [attempt] = await queue.readAttempts(id);
  expect(attempt).toMatchObject({ request: null });
  expect(receiver.calls).toEqual([]);

  await setTransform(subscription.id, "export default ({ payload }) => ({ got: payload.data })");
  await retryRun(testContext(queue.db, accountId), { id });
  notifyRunsDue(queue.db);
  await expect.poll(() => receiver.calls.map(({ body }) => body)).toEqual(['{"got":{"amount":1}}']);
  expect((await untilFinished(id)).state).toBe("succeeded");
});

it.each([
  ["returns null", "() => null", "skipped", /^skipped_by_transform: .*returned null/],
  ["returns text", "() => 'a'", "failed", /^transform_not_json: .*The result is text/],
  ["runs too long", "() => { for (;;); }", "failed", /^transform_too_slow: .*longer than 100 ms/],
  [
    "returns too much",
    "() => ({ a: 'x'.repeat(300_000) })",
    "failed",
    /^transform_output_too_large: .*larger than 256 KiB/,
  ],
])("a transform that %s sends nothing, and the send says why", async (...row) => {
  const [, source, state, reason] = row;
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  const accountId = await queue.addAccount();
  const options = { receiverUrl: receiver.url };
  const subscription = await addTransformed(accountId, `export default ${source}`, options);
  const { runIds } = await addEvent([subscription]);
  notifyRunsDue(queue.db);
  const run = await untilFinished(runIds[0] ?? "");
  expect([run.state, run.reason]).toEqual([state, expect.stringMatching(reason)]);
  expect(receiver.calls).toEqual([]);
});

it("a filter reads the event, and decides before the transform runs", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  const accountId = await queue.addAccount();
  const throwing = "export default () => { throw new Error('ran') }";
  const subscription = await addTransformed(accountId, throwing, {
    receiverUrl: receiver.url,
    filter: { all: [{ path: "data.amount", op: "gt", value: 5 }] },
  });
  const { runIds } = await addEvent([subscription], { amount: 1 });
  notifyRunsDue(queue.db);
  expect((await untilFinished(runIds[0] ?? "")).reason).toMatch(/^filter_not_matched/);
});
