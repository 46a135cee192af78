import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { maxHops } from "#lib/core/api/http/hops.ts";
import { sealActionAuth } from "#lib/core/sending/credential/action-auth.ts";
import { crashCandidateThreshold } from "#lib/db/queue/claimed-run.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { payload, request, withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();

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

  it("leaves the version of its action in the run that ends with it", async () => {
    await using receiver = await startReceiver((response) =>
      response.writeHead(receiver.calls.length < 2 ? 503 : 200).end(),
    );
    await using _worker = startTestWorker({ url: queue.url });
    const retry = { maxAttempts: 2, initialDelayMs: 100, maxDelayMs: 100, on: ["5xx"] };
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url), retry });
    await queue.db
      .$executeRaw`update actions set version = 7 where id = ${actionQueue.targetId}::uuid`;
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    expect(await untilFinished(id)).toMatchObject({ state: "succeeded", attempt_count: 2 });
    expect((await getRun(queue.db, actionQueue.accountId, id)).actionVersion).toBe(7);
  });

  it("is repeated with the same Idempotency-Key until the receiver accepts it", async () => {
    let responses = 0;
    await using receiver = await startReceiver((response) => {
      responses += 1;
      response.writeHead(responses < 3 ? 503 : 200).end();
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
    // A run that is retried manually has as many attempts ahead as a new one.
    await retryRun(testContext(queue.db, actionQueue.accountId), { id });
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
    await queue.db.$executeRaw`update queue set crash_count = ${crashCandidateThreshold}::int`;
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
    const [accountId, targetId] = [await queue.addAccount(), newId()];
    const authCiphertext = sealActionAuth(
      testSealer,
      { accountId, id: targetId },
      { type: "bearer", token },
    );
    const actionQueue = await queue.addActionQueue({
      accountId,
      targetId,
      authCiphertext,
      request: request(receiver.url),
    });
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    expect((await untilFinished(id)).state).toBe("succeeded");
    expect(receiver.calls[0]?.headers.authorization).toBe(`Bearer ${token}`);
    const stored = await queue.db.$queryRaw<
      { row: string }[]
    >`select runs::text as row from runs union all select attempts::text from attempts`;
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
