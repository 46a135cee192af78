import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { maxHops } from "#lib/core/http/hops.ts";
import { sealActionAuth } from "#lib/db/actions/action-record.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { crashCandidateThreshold } from "#lib/db/queue/claim-runs.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { createQueueFixture, type StoredRun } from "#lib/db/queue/testing/queue-fixture.ts";
import { retryRun } from "#lib/db/runs/runs.ts";
import { startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { newId } from "#lib/ids.ts";
import { startReceiver } from "./testing/receiver.ts";
import { startTestWorker, testSealer } from "./testing/start-worker.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(
  () =>
    queue.db
      .$executeRaw`truncate runs, attempts, deliveries, actions, hooks, accounts, workers cascade`,
);

const patience = { timeout: 10_000, interval: 20 };
const payload = JSON.stringify({
  id: "evt_1",
  type: "paid",
  data: {
    object: { customer_email: "a@b.test", amount_total: 4200, big: "12345678901234567890123" },
  },
}).replace('"12345678901234567890123"', "12345678901234567890123");

function request(url: string, more: object = {}): object {
  return {
    method: "POST",
    url,
    headers: {},
    query: {},
    body: { amount: "{{ data.object.amount_total }}" },
    ...more,
  };
}

async function untilFinished(runId: string): Promise<StoredRun> {
  await expect.poll(async () => (await queue.readRun(runId)).is_finished, patience).toBe(true);
  return queue.readRun(runId);
}

/** A database that can't read some deliveries. */
function refuseDeliveries(db: SqlDatabase, bad: readonly { readonly id: string }[]): SqlDatabase {
  return {
    ...db,
    async $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]) {
      const [wanted] = values;
      const isLoading =
        query.join("").includes("from deliveries where id = any") && Array.isArray(wanted);
      if (isLoading && bad.some(({ id }) => wanted.includes(id)))
        throw new Error("could not read block");
      return db.$queryRaw<Rows>(query, ...values);
    },
  };
}

async function readWorkerIds(): Promise<number[]> {
  const workers = await queue.db.worker.findMany();
  return workers.map((worker) => worker.id);
}

describe("an attempt", () => {
  it("sends exactly what the mapping says and records the call and the response", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const body = {
      email: "{{ data.object.customer_email }}",
      amount: "{{ data.object.amount_total }}",
      big: "{{ data.object.big }}",
    };
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url, { body }) });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    notifyRunsDue(queue.db);
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      reason: null,
      attempt_count: 1,
    });
    expect(receiver.calls.map((call) => call.body)).toEqual([
      '{"email":"a@b.test","amount":4200,"big":12345678901234567890123}',
    ]);
    expect(receiver.calls[0]?.headers).toMatchObject({
      "idempotency-key": id,
      "user-agent": "Catchment/0.0.0",
      "catchment-hops": "1",
    });
    const [attempt] = await queue.readAttempts(id);
    expect(JSON.parse(attempt?.request ?? "")).toMatchObject({
      method: "POST",
      url: receiver.url,
      bodyTruncated: false,
    });
    expect(JSON.parse(attempt?.response ?? "")).toMatchObject({
      status: 200,
      body: "ok",
      truncated: false,
    });
  });

  it("is repeated with the same Idempotency-Key until the receiver accepts it", async () => {
    let answers = 0;
    await using receiver = await startReceiver((response) => {
      answers += 1;
      response.writeHead(answers < 3 ? 503 : 200).end();
    });
    await using _worker = startTestWorker({ url: queue.url });
    const retry = { maxAttempts: 5, initialDelayMs: 100, maxDelayMs: 100, on: ["5xx"] };
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url), retry });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    expect(await untilFinished(id)).toMatchObject({ state: "succeeded", attempt_count: 3 });
    expect(receiver.calls.map((call) => call.headers["idempotency-key"])).toEqual([id, id, id]);
    expect((await queue.readAttempts(id)).map((attempt) => attempt.number)).toEqual([1, 2, 3]);
  });

  it("fails permanently when the last attempt of the policy fails", async () => {
    await using receiver = await startReceiver((response) => response.writeHead(500).end());
    await using _worker = startTestWorker({ url: queue.url });
    const retry = { maxAttempts: 2, initialDelayMs: 100, maxDelayMs: 100, on: ["5xx"] };
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url), retry });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    expect(await untilFinished(id)).toMatchObject({ state: "failed", attempt_count: 2 });
    expect((await queue.readRun(id)).reason).toMatch(/^attempts_exhausted: /);
    // Retried manually, it has as many attempts ahead as a new one.
    await retryRun(queue.db, actionQueue.accountId, id);
    expect(await untilFinished(id)).toMatchObject({ state: "failed", attempt_count: 4 });
    expect((await queue.readAttempts(id)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it("starts crash candidates one at a time while others continue", async () => {
    let [candidates, maxCandidates] = [0, 0];
    await using receiver = await startReceiver(async (response, call) => {
      const isCrashCandidate = call.body.includes("candidate");
      if (isCrashCandidate) maxCandidates = Math.max(maxCandidates, ++candidates);
      await delay(100);
      if (isCrashCandidate) candidates -= 1;
      response.end();
    });
    const addRuns = async (what: string) =>
      queue.addRuns(
        await queue.addActionQueue({ request: request(receiver.url, { body: { what } }) }),
        4,
      );
    const ids = await addRuns("candidate");
    await queue.db.$executeRaw`update runs set crash_count = ${crashCandidateThreshold}::int`;
    ids.push(...(await addRuns("other")));
    await using _worker = startTestWorker({ url: queue.url });
    for (const id of ids)
      expect(await untilFinished(id)).toMatchObject({ state: "succeeded", crash_count: 0 });
    expect(maxCandidates).toBe(1);
  });

  it("with a name that is not in the payload fails once, says which, and makes no call", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url, { body: { a: "{{ data.nowhere }}" } }),
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    const run = await untilFinished(id);
    expect(run.state).toBe("failed");
    expect(run.reason).toMatch(/^mapping_failed: .*data\.nowhere is not in this payload/);
    expect(await queue.readAttempts(id)).toMatchObject([
      { request: null, response: null, error_code: "mapping_failed" },
    ]);
    expect(receiver.calls).toEqual([]);
  });

  it("is skipped with a reason if the filter doesn't match", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const filter = { all: [{ path: "type", op: "equals", value: "refunded" }] };
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url), filter });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    const run = await untilFinished(id);
    expect(run.state).toBe("skipped");
    expect(run.reason).toMatch(/^filter_not_matched: type is "paid" and must equal "refunded"/);
    expect(await queue.readAttempts(id)).toEqual([]);
  });

  it("stores no credential, even if the receiver repeats it", async () => {
    const token = "sk_live_do_not_store_me";
    await using receiver = await startReceiver((response, call) => {
      response.setHeader("x-echo", String(call.headers.authorization));
      response.end(`you sent ${call.headers.authorization}`);
    });
    await using _worker = startTestWorker({ url: queue.url });
    const [accountId, actionId] = [await queue.addAccount(), newId()];
    const authCiphertext = sealActionAuth(
      testSealer,
      { accountId, actionId },
      { type: "bearer", token },
    );
    const actionQueue = await queue.addActionQueue({
      accountId,
      actionId,
      authCiphertext,
      request: request(receiver.url),
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    expect((await untilFinished(id)).state).toBe("succeeded");
    expect(receiver.calls[0]?.headers.authorization).toBe(`Bearer ${token}`);
    const stored = await queue.db.$queryRaw<
      { row: string }[]
    >`select attempts::text as row from attempts`;
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(JSON.stringify(stored)).toContain("[redacted]");
  });

  it("to this server itself is stopped as a loop", async () => {
    await using receiver = await startReceiver();
    const origin = `http://127.0.0.1:${receiver.port}`;
    await using _worker = startTestWorker({ url: queue.url, ownOrigins: [origin] });
    const actionQueue = await queue.addActionQueue({ request: request(`${origin}/catch/acme/x`) });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    const run = await untilFinished(id);
    expect([run.state, run.reason]).toEqual(["failed", expect.stringMatching(/^loop: /)]);
    expect(receiver.calls).toEqual([]);
  });

  it("counts the hooks behind it and is stopped as a loop if there are too many", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url) });
    const hops = (count: number) => [["Catchment-Hops", String(count)]] as const;
    const [last = ""] = await queue.addRuns(actionQueue, 1, {
      body: payload,
      headers: hops(maxHops - 1),
    });
    const [beyond = ""] = await queue.addRuns(actionQueue, 1, {
      body: payload,
      headers: hops(maxHops),
    });
    expect((await untilFinished(last)).state).toBe("succeeded");
    expect(await untilFinished(beyond)).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/^loop: /),
    });
    expect(receiver.calls.map((call) => call.headers["catchment-hops"])).toEqual([String(maxHops)]);
  });
});

describe("the worker", () => {
  it("starts another account's run at once while a thousand wait for a receiver that never responds", async () => {
    await using hung = await startReceiver(() => {});
    await using good = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const stuck = await queue.addActionQueue({ request: request(hung.url), timeoutMs: 60_000 });
    await queue.addRuns(stuck, 1_000, { body: payload });
    await expect.poll(() => hung.calls.length, patience).toBeGreaterThan(100);
    const actionQueue = await queue.addActionQueue({ request: request(good.url) });
    const startedAt = performance.now();
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    notifyRunsDue(queue.db);
    await expect.poll(() => good.calls.length, patience).toBe(1);
    // Behind the hanging calls it would wait for their timeout of a minute.
    expect((good.calls[0]?.at ?? 0) - startedAt).toBeLessThan(10_000);
    expect((await untilFinished(id)).state).toBe("succeeded");
  });

  it("starts an account's healthy action at once while two of its others never get a response", async () => {
    await using hung = await startReceiver(() => {});
    await using good = await startReceiver();
    await using _worker = startTestWorker({
      url: queue.url,
      limits: { actionCap: 20, accountCap: 40 },
    });
    const accountId = await queue.addAccount();
    for (const _action of ["first", "second"]) {
      const actionQueue = await queue.addActionQueue({
        accountId,
        request: request(hung.url),
        timeoutMs: 60_000,
      });
      await queue.addRuns(actionQueue, 50, { body: payload });
    }
    notifyRunsDue(queue.db);
    // All that they may have. None of their calls ends before the timeout of a minute.
    await expect.poll(() => hung.calls.length, patience).toBeGreaterThan(30);
    const healthy = await queue.addActionQueue({ accountId, request: request(good.url) });
    await queue.addRuns(healthy, 60, { body: payload });
    notifyRunsDue(queue.db);
    await expect.poll(() => good.calls.length, patience).toBe(60);
    expect(hung.calls.length).toBeLessThan(40);
  });

  it("renews the lease of a long call, so that it is not repeated", async () => {
    await using receiver = await startReceiver((response) =>
      setTimeout(() => response.end(), 2_500),
    );
    const limits = { leaseMs: 1_000, renewEveryMs: 300, rescueEveryMs: 100 };
    await using _first = startTestWorker({ url: queue.url, limits });
    await using _second = startTestWorker({ url: queue.url, limits });
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url) });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    expect(receiver.calls).toHaveLength(1);
  });

  it("stops: claims nothing new, waits for calls in flight, cancels slow ones, and releases them", async () => {
    const answers: (() => void)[] = [];
    await using receiver = await startReceiver((response, call) => {
      if (call.path === "/quick") answers.push(() => response.end());
    });
    const { worker, ...rest } = startTestWorker({ url: queue.url });
    const quick = await queue.addActionQueue({
      request: request(receiver.url.replace("/in", "/quick")),
    });
    const endless = await queue.addActionQueue({
      request: request(receiver.url),
      timeoutMs: 60_000,
    });
    const [quickId = ""] = await queue.addRuns(quick, 1, { body: payload });
    const [endlessId = ""] = await queue.addRuns(endless, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(2);
    const stopped = worker.stop({ graceMs: 500 });
    const [lateId = ""] = await queue.addRuns(quick, 1, { body: payload });
    notifyRunsDue(queue.db);
    for (const answer of answers) answer();
    await stopped;
    expect((await queue.readRun(quickId)).state).toBe("succeeded");
    expect(await queue.readRun(endlessId)).toMatchObject({
      state: "retrying",
      lease_id: null,
      is_finished: false,
    });
    expect((await queue.readRun(endlessId)).due_in_ms).toBeLessThanOrEqual(0);
    expect(await queue.readAttempts(endlessId)).toMatchObject([{ error_code: "outcome_unknown" }]);
    expect(await queue.readRun(lateId)).toMatchObject({ state: "queued", lease_id: null });
    expect(await queue.db.worker.count()).toBe(0);
    await rest[Symbol.asyncDispose]();
  });

  it("continues after all its connections were closed, without repeating calls in flight", async () => {
    const answers: (() => void)[] = [];
    await using receiver = await startReceiver((response) => answers.push(() => response.end()));
    await using test = startTestWorker({ url: queue.url });
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url),
      timeoutMs: 60_000,
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
    const [before] = await readWorkerIds();
    await queue.db
      .$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '%worker%'`;
    // The old registration has been rescued, and the call is still in flight under the new one.
    await expect.poll(readWorkerIds, patience).toEqual([(before ?? 0) + 1]);
    for (const answer of answers) answer();
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    await expect.poll(() => test.worker.isReady, patience).toBe(true);
    const [next = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(2);
    for (const answer of answers) answer();
    expect((await untilFinished(next)).state).toBe("succeeded");
  });

  it("doesn't rescue its own calls after an outage, however late it registers again", async () => {
    const answers: (() => void)[] = [];
    await using receiver = await startReceiver((response) => answers.push(() => response.end()));
    const slowest = { applicationName: "catchment worker lock", delayMs: 1_500 };
    const network = await startFaultProxy(queue.url, { slowest });
    // Rounds so fast that any grace counted in them ends before the registration is back.
    const limits = { leaseMs: 600, renewEveryMs: 200, rescueEveryMs: 50 };
    await using test = startTestWorker({ url: network.url, limits });
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url),
      timeoutMs: 60_000,
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
    network.setMode("refuse");
    await expect
      .poll(async () => (await queue.readRun(id)).lease_left_ms, patience)
      .toBeLessThan(0);
    network.setMode("pass");
    await expect.poll(() => test.worker.isReady, patience).toBe(true);
    await expect
      .poll(async () => (await queue.readRun(id)).lease_left_ms, patience)
      .toBeGreaterThan(0);
    for (const answer of answers) answer();
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    expect(receiver.calls).toHaveLength(1);
    await test.worker.stop({ graceMs: 0 });
    await network.close();
  });

  it("keeps its claim while it registers again: the call is not made twice", async () => {
    const answers: (() => void)[] = [];
    await using receiver = await startReceiver((response) => answers.push(() => response.end()));
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url),
      timeoutMs: 60_000,
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    let isFirst = true;
    // The claim is committed, but its response comes only after the registration was lost and
    // renewed.
    const wrapDatabase = (db: SqlDatabase): SqlDatabase => ({
      ...db,
      async $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]) {
        const rows = await db.$queryRaw<Rows>(query, ...values);
        if (isFirst && (await queue.readRun(id)).lease_id !== null) {
          isFirst = false;
          const [before = 0] = await readWorkerIds();
          await queue.db
            .$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'catchment worker lock'`;
          await expect
            .poll(async () => test.worker.isReady && Math.max(...(await readWorkerIds())), patience)
            .toBeGreaterThan(before);
        }
        return rows;
      },
    });
    await using test = startTestWorker({ url: queue.url, wrapDatabase });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
    // The old registration is rescued, and the run doesn't belong to it.
    await expect.poll(async () => (await readWorkerIds()).length, patience).toBe(1);
    for (const answer of answers) answer();
    expect(await untilFinished(id)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      crash_count: 0,
    });
    expect(receiver.calls).toHaveLength(1);
  });

  it("maps large bodies in a thread, with the same result", async () => {
    await using receiver = await startReceiver();
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url, {
        body: { size: "{{ payload.items | size }}", n: "{{ payload.n }}" },
      }),
    });
    const items = "1,".repeat(60_000);
    await queue.addRuns(actionQueue, 1, {
      body: `{"n":12345678901234567890.10,"items":[${items}1]}`,
    });
    await using _worker = startTestWorker({ url: queue.url });
    await expect
      .poll(() => receiver.calls[0]?.body, patience)
      .toBe('{"size":60001,"n":12345678901234567890.10}');
  });

  it("gives everything else a turn between bodies that are slow to parse", async () => {
    await using receiver = await startReceiver();
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url, { body: { a: 1 } }),
    });
    for (let index = 0; index < 6; index += 1) {
      await queue.addRuns(actionQueue, 1, { body: JSON.stringify("x".repeat(20_000)) });
    }
    let turn = 0;
    const turnsWithCall = new Set<number>();
    const onCall = () => turnsWithCall.add(turn);
    subscribe("undici:request:create", onCall);
    const count = () => {
      turn += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    await using _worker = startTestWorker({ url: queue.url });
    await expect.poll(() => receiver.calls.length, patience).toBe(6);
    clearImmediate(turning);
    unsubscribe("undici:request:create", onCall);
    expect(turnsWithCall.size).toBe(6);
  });

  it("makes the other calls if one delivery of a batch can't be loaded, and retries that one later", async () => {
    await using receiver = await startReceiver();
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url) });
    const addRun = async () => (await queue.addRuns(actionQueue, 1, { body: payload }))[0] ?? "";
    const [first, unreadable, tried, last] = [
      await addRun(),
      await addRun(),
      await addRun(),
      await addRun(),
    ];
    await queue.db
      .$executeRaw`update runs set attempt_count = 9, state = 'retrying' where id = ${tried}::uuid`;
    const bad = await queue.db.$queryRaw<{ id: string }[]>`
      select delivery_id::text as id from runs where id = any (${[unreadable, tried]}::uuid[])`;
    await using _worker = startTestWorker({
      url: queue.url,
      wrapDatabase: (db) => refuseDeliveries(db, bad),
    });
    expect((await untilFinished(first)).state).toBe("succeeded");
    expect((await untilFinished(last)).state).toBe("succeeded");
    await expect
      .poll(() => queue.readAttempts(unreadable), patience)
      .toMatchObject([{ error_code: "internal" }]);
    const run = await queue.readRun(unreadable);
    expect(run).toMatchObject({ state: "retrying", attempt_count: 1, lease_id: null });
    expect(run.due_in_ms).toBeGreaterThan(1_000);
    expect(await untilFinished(tried)).toMatchObject({ state: "failed", attempt_count: 10 });
  });

  it("finds due runs without a notification", async () => {
    await using receiver = await startReceiver();
    await using test = startTestWorker({ url: queue.url });
    await expect.poll(() => test.worker.isReady, patience).toBe(true);
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url) });
    const startedAt = performance.now();
    await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
