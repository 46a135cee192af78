import { expect, it } from "vitest";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { createCredential, updateCredential } from "#lib/services/credentials.ts";
import {
  createSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { type ReceivedCall, startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";
import { accessKeyId, isSigned, secretAccessKey } from "./testing/aws-signature.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { addEvent } = sendFixture(queue.db, testSealer);
const auth = {
  ...({ type: "aws", accessKeyId, secretAccessKey } as const),
  ...{ region: "eu-west-1", service: "events" },
};
const retry = { maxAttempts: 2, initialDelayMs: 1_000, maxDelayMs: 1_000 };

type Entry = Readonly<Record<"Source" | "DetailType" | "Detail" | "EventBusName", string>> & {
  readonly Time: number;
};

/** Event buses that take entries whose signature is right. `fail` decides about the next one. */
async function startBuses() {
  const taken: Entry[] = [];
  const failures: { readonly ErrorCode: string; readonly ErrorMessage: string }[] = [];
  const receiver = await startReceiver((response, call: ReceivedCall) => {
    const isPut = call.headers["x-amz-target"] === "AWSEvents.PutEvents" && call.path === "/";
    if (!isSigned(call) || !isPut) {
      response.writeHead(400).end('{"__type":"IncompleteSignatureException"}');
      return;
    }
    const failure = failures.shift();
    const { Entries } = JSON.parse(call.body) as { Entries: Entry[] };
    if (failure === undefined) taken.push(...Entries);
    const entries = [failure ?? { EventId: `event-${taken.length}` }];
    const FailedEntryCount = failure === undefined ? 0 : 1;
    response.end(JSON.stringify({ FailedEntryCount, Entries: entries }));
  });
  return {
    taken,
    origin: `http://127.0.0.1:${receiver.port}`,
    fail: (ErrorCode: string, ErrorMessage: string) => failures.push({ ErrorCode, ErrorMessage }),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

async function addAccount(origin: string) {
  const accountId = await queue.addAccount();
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(queue.db, accountId, { sealer: testSealer, variables });
  const { id: credentialId } = await createCredential(context, { name: "Buses", origin, auth });
  return { accountId, context, credentialId };
}

it("a bus gets the event, a throttled one is sent again, and a rejected one isn't", async () => {
  await using buses = await startBuses();
  await using _worker = startTestWorker({ url: queue.url });
  const { accountId, context, credentialId } = await addAccount(buses.origin);
  const receiver = { type: "eventbridge", eventBus: "orders", source: "shop" } as const;
  const { subscription, secret } = await createSubscription(context, {
    ...{ receiverUrl: buses.origin, credentialId, receiver, retry },
  });
  const send = async (data: object) => {
    const target = { id: subscription.id, accountId, secret };
    const { id, runIds } = await addEvent([target], data);
    const [runId = ""] = runIds;
    notifyRunsDue(queue.db);
    const run = await untilFinished(runId);
    const { attempts } = await getRun(queue.db, accountId, runId);
    const event = await queue.db.event.findFirstOrThrow({ where: { id } });
    return { run, attempts, event };
  };

  const first = await send({ note: "Zoë 😀", amount: 10 });
  expect(first.run).toMatchObject({ state: "succeeded", attempt_count: 1 });
  const [entry = expect.fail()] = buses.taken;
  expect(entry).toMatchObject({
    ...{ Source: "shop", EventBusName: "orders", DetailType: first.event.type },
    Detail: Buffer.from(first.event.body).toString(),
  });
  const detail = JSON.parse(entry.Detail);
  expect(detail.id).toBe(first.event.publicId);
  expect(entry.Time).toBe(Math.floor(Date.parse(detail.timestamp) / 1_000));

  buses.fail("ThrottlingException", "Rate exceeded");
  const throttled = await send({ note: "again" });
  expect(throttled.run).toMatchObject({ state: "succeeded", attempt_count: 2 });
  expect(throttled.attempts[0]).toMatchObject({
    error: {
      code: "unavailable",
      message: "The event bus didn't take the event (ThrottlingException: Rate exceeded)",
    },
    responseJson: expect.stringContaining("FailedEntryCount"),
  });

  buses.fail("NotAuthorizedForSourceException", "Not authorized for the source.");
  const rejected = await send({ note: "no" });
  expect(rejected.run).toMatchObject({ state: "failed", attempt_count: 1 });
  expect(rejected.run.reason).toBe(
    "not_retried: The event bus didn't take the event " +
      "(NotAuthorizedForSourceException: Not authorized for the source.); this is not retried",
  );
  expect(buses.taken).toHaveLength(2);

  const large = await send({ note: "x".repeat(1_048_576) });
  expect(large.run).toMatchObject({
    ...{ state: "failed", attempt_count: 1 },
    reason: expect.stringMatching(/has \d+ bytes\. The limit is 1 MiB, so Amazon EventBridge/),
  });
  const kept = JSON.stringify([first, throttled, rejected, large].map(({ attempts }) => attempts));
  expect(kept).not.toContain(secretAccessKey);

  await updateSubscription(context, { id: subscription.id, receiver: null });
  await send({ note: "defaults" });
  expect(buses.taken.at(-1)).toMatchObject({ Source: "catchment", EventBusName: "default" });
  // With the settings of another kind, nothing is sent.
  await updateSubscription(context, { id: subscription.id, receiver });
  await updateCredential(context, { id: credentialId, auth: { ...auth, service: "sqs" } });
  expect((await send({ note: "none" })).run).toMatchObject({ state: "failed", attempt_count: 1 });
  expect(buses.taken).toHaveLength(3);
});

it("settings need a credential of their kind, and a bus takes no headers and no path", async () => {
  const origin = "http://127.0.0.1:65000";
  const { context, credentialId } = await addAccount(origin);
  const receiver = { type: "eventbridge" } as const;
  const create = (more: object) =>
    createSubscription(context, { receiverUrl: origin, credentialId, receiver, ...more });
  const rejections = [
    [{ credentialId: null }, "receiver", "conflict"],
    [{ headers: { "X-Team": "a" } }, "headers", "not_allowed"],
    [{ receiverUrl: `${origin}/orders` }, "receiverUrl", "invalid_value"],
    [{ receiver: { ...receiver, source: "aws.s3" } }, "receiver.source", "invalid_value"],
    [{ receiver: { ...receiver, eventBus: "a b" } }, "receiver.eventBus", "invalid_value"],
  ] as const;
  for (const [more, path, code] of rejections)
    await expect(create(more), path).rejects.toMatchObject({ errors: [{ path, code }] });
  const { subscription } = await create({});
  expect(subscription).toMatchObject({
    status: "active",
    receiver: { ...receiver, eventBus: "default", source: "catchment" },
  });
});
