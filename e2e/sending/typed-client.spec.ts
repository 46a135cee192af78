import { expect, test } from "@playwright/test";
import {
  CatchmentError,
  type Client,
  createClient,
  verifyWebhook,
  WebhookVerificationError,
} from "../../clients/typescript/src/index.ts";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
let client: Client;

test.beforeAll(async () => {
  dashboard = await startDashboard("typed");
  const { account, server } = dashboard;
  client = createClient({ url: server.origin, token: account.apiToken });
});
test.afterAll(async () => await dashboard?.stop());

function callOf(index: number) {
  const call = dashboard.receiver.calls[index];
  if (call === undefined) throw new Error("The receiver got no such call");
  return call;
}

test("the typed client publishes once, and a receiver verifies what arrives", async () => {
  const { receiver } = dashboard;
  const receiverUrl = receiver.url("/events");
  const { id, secret } = await client.createSubscription({
    receiverUrl,
    eventTypes: ["invoice.*"],
  });
  const object = { id: "in_1001", name: "Jürgen", amount: 4200 };
  const event = { id: "evt_typed", type: "invoice.paid", data: { object } };
  expect(await client.publishEvent(event)).toMatchObject({ runs: 1, duplicate: false });
  expect(await client.publishEvent(event)).toMatchObject({ duplicate: true });
  await expect.poll(() => receiver.calls.length).toBe(1);
  const { bytes: body, headers } = callOf(0);
  for (const signatureHeader of [undefined, "Catchment-Signature"])
    expect(
      await verifyWebhook({
        body,
        headers,
        secrets: secret,
        ...(signatureHeader && { signatureHeader }),
      }),
    ).toMatchObject({ id: "evt_typed", type: "invoice.paid", data: { object } });
  const parsed = JSON.parse(body.toString());
  const error = await verifyWebhook({ body: parsed, headers, secrets: secret }).catch((e) => e);
  expect([error instanceof WebhookVerificationError, error.reason]).toEqual([true, "not_bytes"]);

  // While a secret is replaced, receivers with either one accept.
  const { secret: next } = await client.rotateSubscriptionSecret({ id });
  await client.publishEvent({ ...event, id: "evt_rotated" });
  await expect.poll(() => receiver.calls.length).toBe(2);
  const rotated = callOf(1);
  for (const secrets of [secret, next, [next, secret]])
    expect(
      (await verifyWebhook({ body: rotated.bytes, headers: rotated.headers, secrets })).id,
    ).toBe("evt_rotated");
});

test("the typed client lists and exports what a hook caught", async () => {
  const { id: hookId, catchUrl } = await client.createHook({
    name: "Typed",
    dedupe: { from: "body", path: "id" },
  });
  for (const id of ["a", "b", "c"]) await dashboard.deliver(catchUrl, JSON.stringify({ id }));
  const listed: (string | null)[] = [];
  for await (const { eventId } of client.listDeliveries({ hookId, limit: 2 })) listed.push(eventId);
  expect(listed).toEqual(["c", "b", "a"]);
  const exported: (string | null)[] = [];
  for await (const { eventId } of client.exportDeliveries({ hookId })) exported.push(eventId);
  expect(exported).toEqual(listed);
  const error = await client.getDelivery({ id: "unknown" }).then(
    () => null,
    (thrown) => thrown,
  );
  expect(error instanceof CatchmentError && [error.status, error.code]).toEqual([404, "not_found"]);
});
