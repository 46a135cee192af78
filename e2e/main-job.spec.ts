import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import Stripe from "stripe";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { type Receiver, startReceiver } from "./harness/receiver.ts";
import { makeScratchFolder } from "./harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "./harness/server-under-test.ts";

/**
 * The product's main job over its public HTTP API: a signed delivery is caught once and triggers a
 * mapped call.
 */
test.describe.configure({ mode: "serial" });

type Json = Record<string, unknown>;

const secret = "whsec_of_the_test";
const event = {
  id: "evt_main_1",
  type: "checkout.session.completed",
  data: { object: { customer_email: "ada@example.com", amount_total: 4200, currency: "eur" } },
};
const payload = JSON.stringify(event);
const stripe = new Stripe("sk_test_none");

let catchment: ServerUnderTest;
let receiver: Receiver;
let hook: Json;
let action: Json;

test.beforeAll(async () => {
  receiver = await startReceiver();
  const folder = makeScratchFolder("main-job");
  const env = { CATCHMENT_WEB_SLEEP_AFTER_SECONDS: "3" };
  catchment = await startServer({ folder, env }, makeAccess());
});
test.afterAll(async () => {
  await catchment?.stop();
  receiver?.stop();
});

async function api(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${catchment.origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${catchment.apiToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Json) };
}

async function deliver(options: { secret?: string; timestamp?: number; body?: string } = {}) {
  const body = options.body ?? payload;
  const signature = stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: options.secret ?? secret,
    ...(options.timestamp === undefined ? {} : { timestamp: options.timestamp }),
  });
  const response = await fetch(String(hook.catchUrl), {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": signature },
    body,
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function listDeliveries(): Promise<Json[]> {
  const { body } = await api("GET", `/deliveries?hookId=${String(hook.id)}`);
  return body.data as Json[];
}

test("a hook and an action are created with only the token from the environment", async () => {
  const made = await api("POST", "/hooks", {
    name: "Checkout",
    provider: "stripe",
    signingSecret: secret,
  });
  expect(made.status).toBe(201);
  hook = made.body;
  expect(hook.catchUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/catch\/main\/[a-z0-9]{24,}$/);
  expect(JSON.stringify(hook)).not.toContain(secret);
  const body = {
    email: "{{ data.object.customer_email }}",
    amount: "{{ data.object.amount_total }}",
  };
  const saved = await api("POST", `/hooks/${String(hook.id)}/actions`, {
    name: "To the CRM",
    request: { method: "POST", url: receiver.url("/crm"), body },
  });
  expect(saved.status).toBe(201);
  action = saved.body;
});

test("a delivery signed by the stripe package becomes the mapped call, and all of it is in the API", async () => {
  const response = await deliver();
  expect(response).toEqual({
    status: 200,
    body: { status: "accepted", deliveryId: expect.any(String) },
  });
  await expect.poll(() => receiver.calls.length).toBe(1);
  expect(receiver.calls[0]?.body).toBe('{"email":"ada@example.com","amount":4200}');
  const delivery = await api("GET", `/deliveries/${String(response.body.deliveryId)}`);
  expect(delivery.body).toMatchObject({
    status: "accepted",
    body: payload,
    payload: event,
    eventId: "evt_main_1",
    eventType: "checkout.session.completed",
    verification: { outcome: "verified", scheme: "stripe" },
  });
  const [run] = delivery.body.runs as Json[];
  await expect
    .poll(async () => (await api("GET", `/runs/${String(run?.id)}`)).body.status)
    .toBe("succeeded");
  expect((await api("GET", `/runs/${String(run?.id)}`)).body).toMatchObject({
    actionId: action.id,
    attemptCount: 1,
    attempts: [
      {
        number: 1,
        request: { method: "POST", url: receiver.url("/crm"), body: receiver.calls[0]?.body },
        response: { status: 200, body: '{"saved":true}', truncated: false },
        error: null,
      },
    ],
  });
  expect(receiver.calls[0]?.headers["idempotency-key"]).toBe(run?.id);
});

test("the preview is the call that was made", async () => {
  const [delivery] = await listDeliveries();
  const preview = await api("POST", `/actions/${String(action.id)}/preview`, {
    deliveryId: delivery?.id,
  });
  expect(preview.body).toMatchObject({
    ok: true,
    request: { url: receiver.url("/crm"), body: receiver.calls[0]?.body },
  });
});

test("the same event again is a duplicate and makes no second call", async () => {
  const [first] = await listDeliveries();
  const response = await deliver();
  expect(response).toEqual({
    status: 200,
    body: { status: "duplicate", deliveryId: expect.any(String), originalDeliveryId: first?.id },
  });
  const duplicate = await api("GET", `/deliveries/${String(response.body.deliveryId)}`);
  expect(duplicate.body).toMatchObject({ status: "duplicate", duplicateOf: first?.id, runs: [] });
});

test(
  "a wrong signature, a stale one, and a hook without a secret " +
    "are rejected with the reason, and run nothing",
  async () => {
    const stale = Math.floor(Date.now() / 1000) - 900;
    const fresh = (id: string) => JSON.stringify({ ...event, id });
    expect(await deliver({ secret: "whsec_wrong", body: fresh("evt_wrong") })).toMatchObject({
      status: 401,
      body: {
        code: "signature_invalid",
        detail: expect.stringMatching(/^Signature doesn't match any active secret/),
      },
    });
    expect(await deliver({ timestamp: stale, body: fresh("evt_stale") })).toMatchObject({
      status: 401,
      body: { detail: expect.stringMatching(/10 min too old/) },
    });
    const { body: bare } = await api("POST", "/hooks", {
      name: "No secret yet",
      provider: "stripe",
    });
    const unsigned = await fetch(String(bare.catchUrl), { method: "POST", body: payload });
    expect(unsigned.status).toBe(401);
    expect(await unsigned.json()).toMatchObject({
      detail: expect.stringMatching(/no signing secret/),
    });
    const reasons = (await listDeliveries()).map(({ status, reason }) => [status, reason]);
    expect(reasons.slice(0, 2)).toEqual([
      ["rejected", "timestamp_too_old"],
      ["rejected", "signature_mismatch"],
    ]);
    const runs = await api("GET", `/runs?actionId=${String(action.id)}`);
    expect((runs.body.data as Json[]).length).toBe(1);
    expect(receiver.calls.length).toBe(1);
  },
);

test("a paused hook accepts and holds; resuming releases the held run", async () => {
  await api("POST", `/hooks/${String(hook.id)}/pause`);
  const response = await deliver({ body: JSON.stringify({ ...event, id: "evt_held" }) });
  expect(response.body.status).toBe("accepted");
  const held = async () =>
    (
      (await api("GET", `/runs?deliveryId=${String(response.body.deliveryId)}`)).body.data as Json[]
    )[0]?.status;
  expect(await held()).toBe("held");
  await api("POST", `/hooks/${String(hook.id)}/resume`);
  await expect.poll(held).toBe("succeeded");
  expect(receiver.calls.length).toBe(2);
});

test("a missing name is reported, and not retried", async () => {
  const body = JSON.stringify({
    id: "evt_poor",
    type: event.type,
    data: { object: { amount_total: 1 } },
  });
  const response = await deliver({ body });
  const read = async () =>
    (
      (await api("GET", `/runs?deliveryId=${String(response.body.deliveryId)}`)).body.data as Json[]
    )[0];
  await expect.poll(async () => (await read())?.status).toBe("failed");
  const run = await api("GET", `/runs/${String((await read())?.id)}`);
  expect(JSON.stringify(run.body)).toContain("data.object.customer_email is not in this payload");
  expect(run.body).toMatchObject({
    attempts: [{ request: null, error: { code: "mapping_failed" } }],
  });
});

test("runs of one hook that wait for a receiver that never responds don't block the others", async () => {
  receiver.hang("/never");
  const { body: slow } = await api("POST", "/hooks", { name: "Slow" });
  await api("POST", `/hooks/${String(slow.id)}/actions`, {
    name: "Hangs",
    request: { method: "POST", url: receiver.url("/never"), body: { id: "{{ id }}" } },
    timeoutMs: 60_000,
  });
  await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      fetch(String(slow.catchUrl), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id: `slow_${index}` }),
      }),
    ),
  );
  const before = receiver.calls.length;
  await deliver({ body: JSON.stringify({ ...event, id: "evt_beside" }) });
  await expect.poll(() => receiver.calls.length, { intervals: [10] }).toBe(before + 1);
  // None of the hanging calls has made room for it by ending.
  const ended = await api("GET", `/runs?hookId=${String(slow.id)}&status=retrying`);
  expect(ended.body.data).toEqual([]);
});

test("replaying runs the action again on the stored delivery", async () => {
  const accepted = (await listDeliveries()).find(({ eventId }) => eventId === "evt_main_1");
  const before = receiver.calls.length;
  const replay = await api("POST", `/deliveries/${String(accepted?.id)}/replay`, {});
  expect(replay.status).toBe(202);
  await expect.poll(() => receiver.calls.length).toBe(before + 1);
  expect(receiver.calls.at(-1)?.body).toBe(receiver.calls[0]?.body);
});

test("a private address is rejected unless the operator allows it", async () => {
  const refused = await api("POST", `/hooks/${String(hook.id)}/actions`, {
    name: "Metadata",
    request: { method: "GET", url: "http://169.254.169.254/latest/meta-data" },
  });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain("CATCHMENT_EGRESS_ALLOW");
});

test("no process runs as root, or connects to the database as a superuser", async () => {
  const tree = await catchment.tree();
  expect(tree.map(({ role }) => role)).toEqual(
    expect.arrayContaining(["supervisor", "catch", "worker", "postgres"]),
  );
  const uids = tree.map(({ pid }) =>
    Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]),
  );
  expect(uids).not.toContain(0);
  await using client = await connectTo(catchment.databaseUrl());
  const { rows } = await client.query(`select distinct a.usename, r.rolsuper from pg_stat_activity a
    join pg_roles r on r.rolname = a.usename where a.application_name like 'catchment%'`);
  expect(rows).toEqual([{ usename: "catchment_app", rolsuper: false }]);
});

test("while the dashboard sleeps, deliveries are caught and run, and the next call wakes it", async () => {
  const hasWeb = async () => (await catchment.tree()).some(({ role }) => role === "web");
  await expect.poll(hasWeb).toBe(false);
  const before = receiver.calls.length;
  const response = await deliver({ body: JSON.stringify({ ...event, id: "evt_at_night" }) });
  expect(response.status).toBe(200);
  await expect.poll(() => receiver.calls.length).toBe(before + 1);
  expect(await hasWeb()).toBe(false);
  const readEventId = async () =>
    (await api("GET", `/deliveries/${String(response.body.deliveryId)}`)).body.eventId;
  // On a busy machine, the first call may give up before the dashboard is there.
  const [page] = await Promise.all([
    fetch(`${catchment.origin}/sign-in`),
    expect.poll(readEventId).toBe("evt_at_night"),
  ]);
  expect(page.status).toBe(200);
});
