import { createServer } from "node:net";
import { expect, it } from "vitest";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { serveKafka } from "#lib/net/testing/test-kafka.ts";
import { listen } from "#lib/net/testing/test-servers.ts";
import { createCredential } from "#lib/services/credentials.ts";
import { getPortalSubscription } from "#lib/services/portal.ts";
import {
  createSubscription,
  updateSubscription,
} from "#lib/services/subscriptions/write-subscriptions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { addEvent } = sendFixture(queue.db, testSealer);
const auth = { type: "basic", username: "shop", password: "the-password-of-the-broker" } as const;
const retry = { maxAttempts: 2, initialDelayMs: 1_000, maxDelayMs: 1_000 };

async function addAccount() {
  const accountId = await queue.addAccount();
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const options = { sealer: testSealer, variables };
  const actor = {
    ...({ type: "portal", accountId, recipient: "cust_1" } as const),
    capabilities: ["subscriptions:read", "subscriptions:write"] as const,
  };
  const context = testContext(queue.db, accountId, options);
  return { accountId, context, portal: testContext(queue.db, accountId, { ...options, actor }) };
}

async function startCluster() {
  const server = createServer();
  const kafka = serveKafka(server);
  const { port, ...listening } = await listen(server, "127.0.0.1");
  kafka.places = [{ host: "127.0.0.1", port }];
  const origin = `kafka://127.0.0.1:${port}`;
  return { kafka, origin, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
}

type Added = {
  readonly accountId: string;
  readonly subscription: { readonly id: string };
  readonly secret: string;
};

async function send({ accountId, subscription, secret }: Added, data: object) {
  const { id, runIds } = await addEvent([{ id: subscription.id, accountId, secret }], data);
  const [runId = ""] = runIds;
  notifyRunsDue(queue.db);
  const run = await untilFinished(runId);
  const { attempts } = await getRun(queue.db, accountId, runId);
  const event = await queue.db.event.findFirstOrThrow({ where: { id } });
  return { run, attempts, event };
}

it("Kafka gets the event's bytes and signature, with the recipient as the key", async () => {
  await using cluster = await startCluster();
  const { kafka, origin } = cluster;
  await using _worker = startTestWorker({ url: queue.url });
  const { accountId, context, portal } = await addAccount();
  kafka.login = { ...auth, mechanisms: ["SCRAM-SHA-512"] };
  const { id: credentialId } = await createCredential(context, { name: "Kafka", origin, auth });
  const added = await createSubscription(context, {
    ...{ receiverUrl: origin, credentialId, recipient: "cust_1", retry },
    receiver: { type: "kafka", topic: "orders", mechanism: "scram-sha-512" },
    headers: { "X-Team": "billing" },
  });
  const to = { accountId, ...added };
  expect(added.subscription.status).toBe("active");
  const first = await send(to, { note: "Zoë 😀" });
  expect(first.run).toMatchObject({ state: "succeeded", attempt_count: 1 });
  const value = Buffer.from(first.event.body).toString();
  expect(kafka.messages).toMatchObject([{ topic: "orders", key: "cust_1", value }]);
  expect(kafka.messages[0]?.headers).toMatchObject({
    ...{ "content-type": "application/json", "X-Team": "billing" },
    ...{ "webhook-id": first.event.publicId, "webhook-signature": expect.stringMatching(/^v1,/) },
  });
  const [{ requestJson, responseJson } = expect.fail()] = first.attempts;
  const shown = JSON.parse(String(requestJson));
  expect(shown).toMatchObject({ method: "PUBLISH", url: origin });
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    ...{ topic: "orders", "message-key": "cust_1", "X-Team": "[redacted]" },
  });
  expect(JSON.parse(String(responseJson))).toMatchObject({ status: 200 });

  kafka.always.set("orders", 19);
  const retried = await send(to, { note: "again" });
  expect(retried.run).toMatchObject({ state: "failed", attempt_count: 2 });
  expect(retried.run.reason).toBe(
    "attempts_exhausted: Kafka replied 19 NOT_ENOUGH_REPLICAS: too few replicas are in sync; attempt 2 of 2 was the last",
  );
  kafka.always.set("orders", 10);
  const large = await send(to, { note: "large" });
  expect(large.run).toMatchObject({ state: "failed", attempt_count: 1 });
  expect(large.attempts[0]).toMatchObject({
    error: { code: "rejected" },
    responseJson: expect.stringMatching(/"status":10.*"MESSAGE_TOO_LARGE/),
  });
  kafka.always.clear();
  kafka.login = { ...auth, password: "another-password", mechanisms: ["PLAIN"] };
  await updateSubscription(context, {
    id: added.subscription.id,
    receiver: { type: "kafka", topic: "other", key: "fixed" },
    headers: null,
  });
  const refused = await send(to, { note: "who" });
  expect(refused.run.reason).toContain("Kafka replied 58 SASL_AUTHENTICATION_FAILED");
  expect(JSON.stringify([first, retried, large, refused])).not.toContain(auth.password);
  kafka.login = { ...auth, mechanisms: ["PLAIN"] };
  await send(to, { note: "fixed" });
  expect(kafka.messages.at(-1)).toMatchObject({ topic: "other", key: "fixed" });

  const inPortal = await getPortalSubscription(portal, { id: added.subscription.id });
  expect(inPortal.receiver).toBe("kafka");
  const moved = { id: added.subscription.id, receiverUrl: "https://example.com/in" };
  await expect(updateSubscription(portal, moved)).rejects.toMatchObject({
    errors: [{ path: "receiverUrl", code: "conflict" }],
  });
});

it("a cluster without logins needs no credential, and keys keep the order that was asked for", async () => {
  await using cluster = await startCluster();
  const { kafka, origin } = cluster;
  await using _worker = startTestWorker({ url: queue.url });
  const { accountId, context, portal } = await addAccount();
  const receiver = { type: "kafka", topic: "orders" } as const;
  const spread = await createSubscription(context, { receiverUrl: origin, receiver });
  const { event } = await send({ accountId, ...spread }, {});
  const input = { receiverUrl: origin, receiver, ordered: true };
  const ordered = await createSubscription(context, input);
  await send({ accountId, ...ordered }, {});
  expect(kafka.messages.map(({ key }) => key)).toEqual([event.publicId, ordered.subscription.id]);

  const own = await createSubscription(context, {
    ...{ receiverUrl: origin, receiver, recipient: "cust_1" },
  });
  const moved = { id: own.subscription.id, receiverUrl: "https://example.com/in" };
  await expect(updateSubscription(portal, moved)).rejects.toMatchObject({
    errors: [{ path: "receiverUrl", code: "conflict" }],
  });
  await expect(
    createSubscription(portal, { receiverUrl: origin, eventTypes: ["*"] }),
  ).rejects.toMatchObject({ errors: [{ path: "receiverUrl" }] });
});

it("a cluster's URL is a list of brokers that may be called, with a topic", async () => {
  const { context } = await addAccount();
  const origin = "kafkas://127.0.0.1,127.0.0.2:9094";
  const { id: credentialId } = await createCredential(context, { name: "Kafka", origin, auth });
  const receiver = { type: "kafka", topic: "orders" } as const;
  const valid = { receiverUrl: origin, credentialId, receiver };
  const create = (more: object) => createSubscription(context, { ...valid, ...more });
  const many = Array.from({ length: 11 }, (_, index) => `127.0.0.${index + 1}`);
  const rejections = [
    [{ receiver: null }, "receiver", "required"],
    [{ receiver: { type: "kafka" } }, "receiver.topic", undefined],
    [{ receiver: { type: "kafka", topic: ".." } }, "receiver.topic", undefined],
    [{ receiver: { type: "kafka", topic: "a/b" } }, "receiver.topic", undefined],
    [{ receiver: { type: "rabbitmq" } }, "receiver", "conflict"],
    [{ receiverUrl: "kafkas://127.0.0.1" }, "credentialId", "conflict"],
    [{ receiverUrl: "kafka://127.0.0.1,127.0.0.2:9094" }, "credentialId", "conflict"],
    [{ receiverUrl: "kafkas://shop:x@127.0.0.1" }, "receiverUrl", "not_allowed"],
    [{ receiverUrl: "kafkas://127.0.0.1/orders" }, "receiverUrl", "invalid_value"],
    [{ receiverUrl: "kafkas://127.0.0.1,127.0.0.1:9093" }, "receiverUrl", "invalid_value"],
    [{ receiverUrl: `kafkas://${many.join(",")}` }, "receiverUrl", "invalid_value"],
    [{ receiverUrl: "kafkas://127.0.0.1,10.0.0.1" }, "receiverUrl", "not_allowed"],
    [{ receiverUrl: "kafkas://127.0.0.1,127.0.0.2:6379" }, "receiverUrl", "not_allowed"],
  ] as const;
  for (const [more, path, code] of rejections)
    await expect(create(more), JSON.stringify(more)).rejects.toMatchObject({
      errors: [{ path, ...(code !== undefined && { code }) }],
    });
  const { subscription } = await create({ receiverUrl: "kafkas://127.0.0.1:9093,127.0.0.2:9094/" });
  expect(subscription).toMatchObject({
    ...{ status: "active", receiver: { topic: "orders", key: null, mechanism: "plain" } },
  });
});
