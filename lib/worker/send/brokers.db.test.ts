import { createServer } from "node:net";
import { expect, it } from "vitest";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { serveBroker } from "#lib/net/testing/test-broker.ts";
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

async function addAccount(origin: string) {
  const accountId = await queue.addAccount();
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const options = { sealer: testSealer, variables };
  const actor = {
    ...({ type: "portal", accountId, recipient: "cust_1" } as const),
    capabilities: ["subscriptions:read", "subscriptions:write"] as const,
  };
  const context = testContext(queue.db, accountId, options);
  const portal = testContext(queue.db, accountId, { ...options, actor });
  const { id: credentialId } = await createCredential(context, { name: "Broker", origin, auth });
  return { accountId, context, portal, credentialId };
}

it("a broker gets the event's bytes, and a message without a queue is sent again", async () => {
  const server = createServer();
  const broker = serveBroker(server);
  await using listening = await listen(server, "127.0.0.1");
  await using _worker = startTestWorker({ url: queue.url });
  const origin = `amqp://127.0.0.1:${listening.port}`;
  const { accountId, context, portal, credentialId } = await addAccount(origin);
  const { subscription, secret } = await createSubscription(context, {
    ...{ receiverUrl: `${origin}/orders`, credentialId, recipient: "cust_1", retry },
    receiver: { type: "rabbitmq", exchange: "events" },
    headers: { "X-Team": "billing" },
  });
  expect(subscription.status).toBe("active");
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
  const first = await send({ note: "Zoë 😀" });
  expect(first.run).toMatchObject({ state: "succeeded", attempt_count: 1 });
  const body = Buffer.from(first.event.body).toString();
  expect(broker.messages).toEqual([{ exchange: "events", routingKey: first.event.type, body }]);
  const [{ requestJson, responseJson } = expect.fail()] = first.attempts;
  const shown = JSON.parse(String(requestJson));
  expect(shown).toMatchObject({ method: "PUBLISH", url: `${origin}/orders` });
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    ...{ exchange: "events", "routing-key": first.event.type, "message-id": first.event.publicId },
    ...{ "webhook-id": first.event.publicId, "X-Team": "[redacted]" },
  });
  expect(JSON.parse(String(responseJson))).toMatchObject({ status: 200 });

  broker.reply = { returned: [312, "NO_ROUTE"] };
  const unroutable = await send({ note: "nowhere" });
  expect(unroutable.run).toMatchObject({ state: "failed", attempt_count: 2 });
  expect(unroutable.run.reason).toBe(
    `attempts_exhausted: The broker replied 312 NO_ROUTE: the exchange events has no queue for the ` +
      `routing key ${first.event.type}; attempt 2 of 2 was the last`,
  );
  expect(unroutable.attempts[0]).toMatchObject({
    error: { code: "undelivered" },
    responseJson: expect.stringMatching(/"status":312.*"NO_ROUTE"/),
  });
  broker.reply = "ack";
  broker.refusal = [403, `ACCESS_REFUSED ${auth.password}`];
  await updateSubscription(context, {
    id: subscription.id,
    receiverUrl: `${origin}/other`,
    receiver: { type: "rabbitmq", routingKey: "fixed" },
    headers: null,
  });
  const refused = await send({ note: "who" });
  expect(refused.run).toMatchObject({ state: "failed" });
  expect(refused.run.reason).toContain("The broker replied 403 ACCESS_REFUSED");
  const kept = JSON.stringify([first, unroutable, refused]);
  expect(kept).not.toContain(auth.password);
  broker.refusal = null;
  await send({ note: "fixed" });
  expect(broker.messages.at(-1)).toMatchObject({ exchange: "", routingKey: "fixed" });

  const inPortal = await getPortalSubscription(portal, { id: subscription.id });
  expect(inPortal.receiver).toBe("rabbitmq");
  const moved = { id: subscription.id, receiverUrl: "https://example.com/in" };
  await expect(updateSubscription(portal, moved)).rejects.toMatchObject({
    errors: [{ path: "receiverUrl", code: "conflict" }],
  });
});

it("a broker's URL needs a login of its origin, and no one in a portal may enter one", async () => {
  const origin = "amqps://127.0.0.1";
  const { context, portal, credentialId } = await addAccount(origin);
  const create = (more: object) =>
    createSubscription(context, { receiverUrl: `${origin}/`, credentialId, ...more });
  const rejections = [
    [{ credentialId: null }, "credentialId", "required"],
    [{ receiverUrl: "amqps://127.0.0.2" }, "credentialId", "conflict"],
    [{ receiverUrl: "amqp://127.0.0.1" }, "credentialId", "conflict"],
    [{ receiverUrl: "amqps://shop:x@127.0.0.1" }, "receiverUrl", "not_allowed"],
    [{ receiverUrl: "amqps://127.0.0.1/a/b" }, "receiverUrl", "invalid_value"],
    [{ receiverUrl: "amqps://127.0.0.1:6379" }, "receiverUrl", "not_allowed"],
    [{ receiverUrl: "amqps://10.0.0.1" }, "receiverUrl", "not_allowed"],
    [{ receiver: { type: "eventbridge" } }, "receiver", "conflict"],
  ] as const;
  for (const [more, path, code] of rejections)
    await expect(create(more), JSON.stringify(more)).rejects.toMatchObject({
      errors: [{ path, code }],
    });
  const bearer = { type: "bearer", token: "sk_1" } as const;
  await expect(
    createCredential(context, { name: "Other", origin, auth: bearer }),
  ).rejects.toMatchObject({ errors: [{ path: "auth.type" }] });
  await expect(
    createSubscription(portal, { receiverUrl: origin, eventTypes: ["*"] }),
  ).rejects.toMatchObject({ errors: [{ path: "receiverUrl" }] });
  const { subscription } = await create({ receiverUrl: "amqps://127.0.0.1:5671/%2f" });
  expect(subscription).toMatchObject({ status: "active", receiver: null });
});
