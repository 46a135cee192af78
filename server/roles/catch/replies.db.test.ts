import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request as httpRequest, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { findDeliveryReply } from "#lib/db/replies/find-replies.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { hookPatchSchema } from "#lib/schema/receive/hook.ts";
import { getHook } from "#lib/services/hooks/read-hooks.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { type Receiver, startReceiver } from "#lib/worker/testing/receiver.ts";
import { startTestWorker } from "#lib/worker/testing/start-worker.ts";
import { sendJson, type TestResponse } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const maxWaiting = 500;
const bench = withCatch({ replyLimits: { maxAccountWaiting: maxWaiting } });
const patience = { interval: 20 };

type ActionOptions = { readonly steps?: readonly object[]; readonly filter?: object };

/** A hook whose action calls the receiver and replies with the receiver's response. */
async function addReplyingHook(
  receiver: Receiver,
  reply: object,
  { steps, filter }: ActionOptions = {},
): Promise<TestHook & { readonly actionId: string }> {
  const hook = await addHook(bench.db);
  const actionId = newId();
  await bench.db.action.create({
    data: {
      id: actionId,
      accountId: hook.accountId,
      hookId: hook.id,
      name: "act",
      timeoutMs: 20_000,
      retry: { maxAttempts: 1 },
      ...(filter !== undefined && { filter }),
      ...(steps === undefined ? { request: call(receiver.url) } : { steps: [...steps] }),
    },
  });
  const patch = hookPatchSchema.parse({ reply: { actionId, ...reply } });
  await updateHook(testContext(bench.db, hook.accountId), { id: hook.id, ...patch });
  return { ...hook, actionId };
}

function call(url: string) {
  return { method: "POST", url, headers: {}, query: {}, body: { id: "{{ id }}" } };
}

const replyJson = {
  status: "{{ steps.call.status }}",
  headers: { "Content-Type": "application/json", "X-Of": "{{ id }}" },
  body: '{"found": {{ steps.call.body.contact.id }}, "of": "{{ id }}"}',
};

function sendEvent(hook: TestHook, id: string): Promise<TestResponse> {
  return sendJson(bench.caught.port, hook.path, { id });
}

const respondJson = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

/** A receiver that answers no request until it is released, and all of them from then on. */
async function startReleasedReceiver(): Promise<Receiver & { release(): void }> {
  const waiting: ServerResponse[] = [];
  let isReleased = false;
  const respond = (response: ServerResponse) => respondJson(response, { contact: { id: 7 } });
  const receiver = await startReceiver((response) => {
    if (isReleased) respond(response);
    else waiting.push(response);
  });
  return {
    ...receiver,
    release() {
      isReleased = true;
      for (const response of waiting.splice(0)) respond(response);
    },
  };
}

/** The replies that the providers of an account's deliveries got, oldest first. */
async function readReplies({ accountId }: TestHook) {
  const rows = await bench.db.reply.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  return await Promise.all(rows.map(({ id }) => findDeliveryReply(bench.db, accountId, id)));
}

it("the provider gets what the action's call gave, and a duplicate gets the same", async () => {
  await using receiver = await startReceiver((response) =>
    respondJson(response, { contact: { id: 7 } }, 201),
  );
  await using _worker = startTestWorker({ url: bench.url });
  const hook = await addReplyingHook(receiver, replyJson);
  const first = await sendEvent(hook, "evt_1");
  expect(first).toMatchObject({ status: 201, json: { found: 7, of: "evt_1" } });
  expect(first.headers.get("content-type")).toBe("application/json");
  expect(first.headers.get("x-of")).toBe("evt_1");
  expect(first.headers.get("content-security-policy")).toBe("sandbox");
  expect(await sendEvent(hook, "evt_1")).toMatchObject({ status: 201, json: { found: 7 } });
  expect(receiver.calls).toHaveLength(1);
  await expect
    .poll(async () => (await readReplies(hook)).map((reply) => reply?.sentAs), patience)
    .toEqual(["reply", "reply"]);
  expect((await readReplies(hook))[0]).toMatchObject({ status: 201, sentStatus: 201 });
});

it("headers that a reply couldn't set today are shown to its owner, and never sent", async () => {
  await using receiver = await startReceiver((response) =>
    respondJson(response, { contact: { id: 7 } }),
  );
  await using _worker = startTestWorker({ url: bench.url });
  const hook = await addReplyingHook(receiver, replyJson);
  const old = { ...replyJson.headers, Link: "</a>; rel=preload", "X-Accel-Redirect": "/{{ id }}" };
  await bench.db.$executeRaw`
    update hooks set answer = (answer::jsonb || ${JSON.stringify({ headers: old })}::jsonb)::json
    where id = ${hook.id}::uuid`;
  const context = testContext(bench.db, hook.accountId);
  expect((await getHook(context, { id: hook.id })).reply?.headers).toEqual(old);
  await expect(
    updateHook(context, { id: hook.id, reply: { actionId: hook.actionId, headers: old } }),
  ).rejects.toMatchObject({
    errors: [
      { path: "reply.headers.Link", code: "not_allowed", name: "Link" },
      { path: "reply.headers.X-Accel-Redirect", code: "not_allowed" },
    ],
  });
  for (const response of [await sendEvent(hook, "evt_1"), await sendEvent(hook, "evt_1")]) {
    expect(response).toMatchObject({ status: 200, json: { found: 7, of: "evt_1" } });
    expect(response.headers.get("x-of")).toBe("evt_1");
    expect([response.headers.get("link"), response.headers.get("x-accel-redirect")]).toEqual([
      null,
      null,
    ]);
  }
});

it("the last step of several is seen too", async () => {
  await using receiver = await startReceiver((response) => respondJson(response, { id: "c_9" }));
  await using _worker = startTestWorker({ url: bench.url });
  const steps = [
    { key: "find", kind: "call", request: call(receiver.url) },
    {
      key: "shape",
      kind: "transform",
      code: "export default (delivery, steps) => ({ who: steps.find.body.id })",
    },
  ];
  const reply = { status: 200, body: "contact {{ steps.shape.value.who }}" };
  const hook = await addReplyingHook(receiver, reply, { steps });
  expect(await sendEvent(hook, "evt_1")).toMatchObject({ status: 200, text: "contact c_9" });
});

it("after the wait the provider gets 202 while the run continues, and later its duplicate the reply", async () => {
  await using receiver = await startReleasedReceiver();
  await using _worker = startTestWorker({ url: bench.url });
  const hook = await addReplyingHook(receiver, { ...replyJson, waitSeconds: 1 });
  const late = await sendEvent(hook, "evt_1");
  expect(late).toMatchObject({ status: 202, json: { status: "accepted" } });
  expect(await sendEvent(hook, "evt_1")).toMatchObject({
    status: 202,
    json: { status: "duplicate" },
  });
  receiver.release();
  await expect.poll(async () => (await sendEvent(hook, "evt_1")).status, patience).toBe(200);
});

it.each([
  ["a failed run", {}, 500, 202],
  [
    "a failed run with its own reply",
    { onFailure: { status: 424, body: "{{ steps.call.error.code }}" } },
    500,
    424,
  ],
  ["a template that misses a name", { body: "{{ steps.call.body.nothing }}" }, 200, 202],
  ["a status that is none", { status: "{{ id }}" }, 200, 202],
])("%s: the provider never gets an error of ours", async (_name, more, status, expected) => {
  await using receiver = await startReceiver((response) => respondJson(response, {}, status));
  await using _worker = startTestWorker({ url: bench.url });
  const hook = await addReplyingHook(receiver, { status: 200, body: "ok", ...more });
  expect((await sendEvent(hook, "evt_1")).status).toBe(expected);
  const [reply] = await readReplies(hook);
  expect(reply?.problem === null).toBe(expected === 424);
});

it("doesn't wait for a run that is skipped, or for an action that is disabled", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: bench.url });
  const filter = { all: [{ path: "payload.id", op: "equals", value: "evt_never" }] };
  const hook = await addReplyingHook(receiver, { ...replyJson, waitSeconds: 30 }, { filter });
  expect((await sendEvent(hook, "evt_1")).status).toBe(202);
  expect((await readReplies(hook))[0]?.problem).toBe("The run was skipped.");
  expect(receiver.calls).toHaveLength(0);

  // The first event may come before the catch process has heard of it, and waits in full.
  const disabled = await addReplyingHook(receiver, { ...replyJson, waitSeconds: 1 });
  await bench.db.action.update({ where: { id: disabled.actionId }, data: { enabled: false } });
  await expect.poll(async () => (await sendEvent(disabled, newId())).status, patience).toBe(200);
});

it("500 wait at once without connections of the database, and one more gets 202 at once", {
  tags: "variant",
}, async () => {
  await using receiver = await startReleasedReceiver();
  await using _worker = startTestWorker({ url: bench.url });
  const hook = await addReplyingHook(receiver, { ...replyJson, waitSeconds: 30 });
  const ids = Array.from({ length: maxWaiting }, (_, index) => `evt_${index}`);
  const sent = ids.map((id) => sendEvent(hook, id));
  const stored = { where: { hookId: hook.id } };
  await expect.poll(() => bench.db.delivery.count(stored), patience).toBe(maxWaiting);
  const [{ count } = { count: 0 }] = await bench.db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database()`;
  expect(count).toBeLessThan(30);
  expect((await sendEvent(hook, "evt_more")).status).toBe(202);
  receiver.release();
  const responses = await Promise.all(sent);
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  expect(responses.map(({ json }) => json.of)).toEqual(ids);
});

it("a provider that closes its connection ends the wait, and its run continues", async () => {
  await using receiver = await startReleasedReceiver();
  await using _worker = startTestWorker({ url: bench.url });
  const hook = await addReplyingHook(receiver, { ...replyJson, waitSeconds: 30 });
  const { port } = bench.caught;
  const headers = { "content-type": "application/json" };
  const leaving = httpRequest({ port, path: hook.path, method: "POST", headers });
  leaving.on("error", () => {});
  leaving.end('{"id":"evt_1"}');
  await expect.poll(() => receiver.calls.length, patience).toBe(1);
  leaving.destroy();
  await expect.poll(async () => (await readReplies(hook))[0]?.sentAs, patience).toBe("closed");
  receiver.release();
  await expect.poll(async () => (await sendEvent(hook, "evt_1")).status, patience).toBe(200);
});

const script = fileURLToPath(new URL("../worker.ts", import.meta.url));

async function startWorkerProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: bench.url,
      CATCHMENT_SECRET_KEY: "a secret for tests that is long enough",
      CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

it("a worker killed meanwhile: every provider gets the reply or 202, and nothing is lost", {
  tags: "variant",
}, async () => {
  await using receiver = await startReleasedReceiver();
  const hook = await addReplyingHook(receiver, { ...replyJson, waitSeconds: 30 });
  const hasty = await addReplyingHook(receiver, { ...replyJson, waitSeconds: 1 });
  const first = await startWorkerProcess();
  const ids = Array.from({ length: 40 }, (_, index) => `evt_${index}`);
  const patient = ids.map((id) => sendEvent(hook, id));
  const impatient = ids.map((id) => sendEvent(hasty, id));
  await expect.poll(() => receiver.calls.length, patience).toBe(80);
  first.kill("SIGKILL");
  expect((await Promise.all(impatient)).map(({ status }) => status)).toEqual(ids.map(() => 202));
  receiver.release();
  await startWorkerProcess();
  const responses = await Promise.all(patient);
  expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect(responses.map(({ json }) => json.of)).toEqual(ids);
  const later = await Promise.all(ids.map((id) => sendEvent(hasty, id)));
  expect(later.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
  const caught = { where: { hookId: { in: [hook.id, hasty.id] }, status: "accepted" } };
  expect(await bench.db.delivery.count(caught)).toBe(80);
});
