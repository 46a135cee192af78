import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { createCredential, updateCredential } from "#lib/services/credentials.ts";
import { getPortalSubscription } from "#lib/services/portal.ts";
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
const aws = { type: "aws", accessKeyId, region: "eu-west-1", service: "sqs" } as const;

/** A queue service that stores messages whose signature is right, and a FIFO message only once. */
async function startQueues() {
  const stored: { readonly call: ReceivedCall; readonly message: Message }[] = [];
  let failures = 0;
  const receiver = await startReceiver((response, call) => {
    const message = JSON.parse(call.body) as Message;
    if (!isSigned(call) || call.headers["x-amz-target"] !== "AmazonSQS.SendMessage") {
      const error = { __type: "com.amazon.coral.service#InvalidSignatureException" };
      response.writeHead(403).end(JSON.stringify(error));
      return;
    }
    const id = message.MessageDeduplicationId;
    const isKnown = stored.some(
      (one) => id !== undefined && one.message.MessageDeduplicationId === id,
    );
    if (!isKnown) stored.push({ call, message });
    // It is stored, and the response is lost.
    if (failures > 0) response.writeHead(503).end();
    else response.end(JSON.stringify({ MessageId: `message-${stored.length}` }));
    failures -= 1;
  });
  return {
    stored,
    origin: `http://127.0.0.1:${receiver.port}`,
    failOnce: () => {
      failures = 1;
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

type Message = {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  readonly MessageAttributes: Readonly<Record<string, { DataType: string; StringValue: string }>>;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
};

async function addAccount() {
  const accountId = await queue.addAccount();
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const options = { sealer: testSealer, variables };
  const actor = {
    ...({ type: "portal", accountId, recipient: "cust_1" } as const),
    capabilities: ["subscriptions:read", "subscriptions:write"] as const,
  };
  await queue.db.senderSettings.create({ data: { accountId, challengeNewUrls: true } });
  return {
    accountId,
    context: testContext(queue.db, accountId, options),
    portal: testContext(queue.db, accountId, { ...options, actor }),
  };
}

it("a queue gets the event's bytes with its signature, and a repeated attempt is no second message", async () => {
  await using queues = await startQueues();
  await using _worker = startTestWorker({ url: queue.url });
  const { accountId, context, portal } = await addAccount();
  const { id: credentialId } = await createCredential(context, {
    ...{ name: "Queues", origin: queues.origin },
    auth: { ...aws, secretAccessKey },
  });
  const receiverUrl = `${queues.origin}/123456789012/orders.fifo`;
  const retry = { maxAttempts: 2, initialDelayMs: 1_000, maxDelayMs: 1_000 };
  const { subscription, secret } = await createSubscription(context, {
    ...{ receiverUrl, credentialId, recipient: "cust_1", retry },
  });
  expect(subscription.status).toBe("active");
  const target = { id: subscription.id, accountId, secret };
  const send = async () => {
    const { id, runIds } = await addEvent([target], { note: "Zoë \u0000 😀", big: 1 });
    notifyRunsDue(queue.db);
    const [runId = ""] = runIds;
    const run = await untilFinished(runId);
    const { body } = await queue.db.event.findFirstOrThrow({ where: { id } });
    return { run, runId, body: Buffer.from(body).toString() };
  };
  queues.failOnce();
  const first = await send();
  expect(first.run).toMatchObject({ state: "succeeded", attempt_count: 2 });
  expect(queues.stored).toHaveLength(1);
  const [{ message } = expect.fail()] = queues.stored;
  expect(message).toMatchObject({
    ...{ QueueUrl: receiverUrl, MessageBody: first.body },
    ...{ MessageGroupId: subscription.id, MessageDeduplicationId: first.runId },
  });
  const headers = Object.fromEntries(
    Object.entries(message.MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]),
  );
  new StandardWebhook(secret).verify(message.MessageBody, headers);

  const attempts = await queue.db.attempt.findMany({ where: { accountId } });
  const runs = await queue.db.run.findMany({ where: { accountId } });
  const kept = JSON.stringify([attempts, runs]);
  expect(kept).toContain("AmazonSQS.SendMessage");
  expect(kept).toContain("message-1");
  expect(kept).not.toContain(secretAccessKey);

  const shown = await getPortalSubscription(portal, { id: subscription.id });
  expect(shown.receiver).toBe("sqs");
  const moved = { id: subscription.id, receiverUrl: `${queues.origin}/123456789012/other` };
  await expect(updateSubscription(portal, moved)).rejects.toMatchObject({
    errors: [{ path: "receiverUrl", code: "not_allowed" }],
  });
  const other = await updateSubscription(context, moved);
  expect(other.status).toBe("active");
  expect((await send()).run).toMatchObject({ state: "succeeded" });
  expect(queues.stored.at(-1)?.message).not.toHaveProperty("MessageDeduplicationId");

  const wrong = { ...aws, secretAccessKey: "another-secret-access-key" };
  await updateCredential(context, { id: credentialId, auth: wrong });
  expect((await send()).run).toMatchObject({ state: "failed", attempt_count: 2 });
  expect(queues.stored).toHaveLength(2);
  // It isn't one for subscriptions any more, so nothing is sent.
  await updateCredential(context, { id: credentialId, auth: { type: "bearer", token: "sk_1" } });
  expect((await send()).run).toMatchObject({ state: "failed" });
  expect(queues.stored).toHaveLength(2);
});

it("a queue gets no headers, and a URL that is no queue any more has to answer the challenge", async () => {
  const { context } = await addAccount();
  const origin = "http://127.0.0.1:65000";
  const save = (name: string, service: string) =>
    createCredential(context, { name, origin, auth: { ...aws, secretAccessKey, service } });
  const { id: credentialId } = await save("Queues", "sqs");
  const other = await save("Buckets", "s3");
  const given = { receiverUrl: `${origin}/1/orders`, credentialId };
  await expect(
    createSubscription(context, { ...given, credentialId: other.id }),
  ).rejects.toMatchObject({ errors: [{ path: "credentialId", code: "not_allowed" }] });
  await expect(
    createSubscription(context, { ...given, headers: { "X-Team": "a" } }),
  ).rejects.toMatchObject({ errors: [{ path: "headers", code: "not_allowed" }] });
  const { subscription } = await createSubscription(context, given);
  const bare = await updateSubscription(context, { id: subscription.id, credentialId: null });
  expect(bare.status).toBe("pending");
});
