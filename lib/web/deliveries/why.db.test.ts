import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { workerLockClass } from "#lib/db/queue/workers.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;
let hookId: string;
beforeAll(async () => {
  hookId = (await api.createHook()).id;
});

const arrive = (fields: Parameters<typeof storeDelivery>[3] = {}) =>
  storeDelivery(api.db, api.account.id, hookId, fields);
const why = async (deliveryId: string, actionId: string) =>
  (await send("GET", `/deliveries/${deliveryId}/why?actionId=${actionId}`)).body;

describe("GET /deliveries/{id}/why", () => {
  it("says what an open run waits for, and the first thing in its way", async () => {
    const id = await api.createAction(hookId, {
      maxConcurrency: 1,
      rateLimit: { count: 1, perSeconds: 3_600 },
    });
    const [first, second] = [await arrive(), await arrive()];
    expect(await why(second, id)).toMatchObject({ code: "no_worker", actionId: id });
    await send("POST", `/hooks/${hookId}/pause`);
    expect(await why(second, id)).toMatchObject({
      code: "hook_paused",
      sentence: "Held: the hook is paused. The run starts once you resume the hook.",
    });
    await send("POST", `/hooks/${hookId}/resume`);
    await send("PATCH", `/actions/${id}`, { enabled: false });
    expect(await why(second, id)).toMatchObject({ code: "action_disabled" });
    await send("PATCH", `/actions/${id}`, { enabled: true });

    await using _worker = await registerWorker();
    expect(await why(first, id)).toMatchObject({ code: "due" });
    expect(await why(second, id)).toMatchObject({
      code: "queued",
      sentence: "It's queued: 1 earlier run of this action goes first.",
    });
    const leased = { leaseId: newId(), leasedUntil: new Date(Date.now() + 60_000), workerId: 1 };
    await api.db.queuedRun.updateMany({ where: { deliveryId: first }, data: leased });
    expect(await why(first, id)).toMatchObject({ code: "running" });
    expect(await why(second, id)).toMatchObject({ code: "concurrency" });
    const nextAt = new Date(Date.now() + 600_000);
    await api.db.targetRate.create({ data: { targetId: id, nextAt } });
    expect(await why(second, id)).toMatchObject({ code: "rate_limited" });
    const breaker = { failedAt: [], downSince: new Date(), nextTryAt: nextAt };
    await api.db.targetBreaker.create({ data: { targetId: id, ...breaker } });
    expect(await why(second, id)).toMatchObject({ code: "breaker_open" });
    const dueAt = new Date(Date.now() + 60_000);
    const retry = { dueAt, attemptCount: 1, reasonCode: "retry", reasonDetail: "HTTP 503" };
    await api.db.queuedRun.updateMany({ where: { deliveryId: second }, data: retry });
    expect(await why(second, id)).toMatchObject({
      code: "retrying",
      sentence: expect.stringMatching(/^Attempt 1 failed: HTTP 503\. The next attempt is at 20/),
    });
    await send("PATCH", `/actions/${id}`, { enabled: false });
  });

  it("says how a run ended, also of a deleted action", async () => {
    const id = await api.createAction(hookId);
    const delivery = await arrive();
    const { data } = (await send("GET", `/runs?deliveryId=${delivery}&actionId=${id}`)).body;
    await send("POST", `/runs/${data[0].id}/cancel`);
    expect(await why(delivery, id)).toMatchObject({ code: "cancelled", runId: data[0].id });
    await send("DELETE", `/actions/${id}`);
    expect(await why(delivery, id)).toMatchObject({ code: "cancelled" });
    expect(await why(await arrive(), id)).toMatchObject({ code: "action_deleted", runId: null });
  });

  it("says why an action never ran, and lists all actions of the hook", async () => {
    const before = await arrive();
    const id = await api.createAction(hookId);
    expect(await why(before, id)).toMatchObject({ code: "created_later", runId: null });
    await send("PATCH", `/actions/${id}`, { enabled: false });
    const meanwhile = await arrive();
    expect(await why(meanwhile, id)).toMatchObject({ code: "action_disabled" });
    await send("PATCH", `/actions/${id}`, { enabled: true });
    expect(await why(meanwhile, id)).toMatchObject({ code: "was_disabled" });
    const rejected = { status: "rejected", reason: "signature_mismatch" } as const;
    expect(await why(await arrive(rejected), id)).toMatchObject({ code: "rejected" });
    const all = (await send("GET", `/deliveries/${meanwhile}/why`)).body.data;
    expect(all).toContainEqual(expect.objectContaining({ actionId: id, code: "was_disabled" }));
  });

  it("knows no delivery or action of another account, and no action of another hook", async () => {
    const delivery = await arrive();
    const elsewhere = await api.createAction((await api.createHook()).id);
    for (const actionId of [elsewhere, newId(), "x"])
      expect((await send("GET", `/deliveries/${delivery}/why?actionId=${actionId}`)).status).toBe(
        404,
      );
  });
});

/** A worker that holds its lock, on a connection of its own. */
async function registerWorker() {
  const { id } = await api.db.worker.create({ data: { name: "test" } });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let locked = () => {};
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const session = api.db.$transaction(
    async (tx) => {
      await tx.$queryRaw`select pg_advisory_xact_lock(${workerLockClass}::int, ${id}::int)::text`;
      locked();
      await held;
    },
    { timeout: 300_000 },
  );
  await isLocked;
  return {
    async [Symbol.asyncDispose]() {
      release();
      await session;
    },
  };
}
