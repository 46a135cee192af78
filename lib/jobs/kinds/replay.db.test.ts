import { describe, expect, it } from "vitest";
import { sweepShortLived } from "#lib/db/deliveries/retention/retention.ts";
import type { ActionQueue } from "#lib/db/queue/testing/queue-fixture.ts";
import { getBulkJob } from "#lib/db/runs/bulk-jobs.ts";
import { bulkReplaySchema } from "#lib/schema/act/replay.ts";
import { createAction, updateAction } from "#lib/services/actions/write-actions.ts";
import { resumeBulkJob } from "#lib/services/bulk-jobs.ts";
import { planReplay, startReplay } from "#lib/services/deliveries/replay-deliveries.ts";
import { retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "#lib/worker/testing/receiver.ts";
import { startTestWorker, testSealer } from "#lib/worker/testing/start-worker.ts";
import { patience, withWorkerQueue } from "#lib/worker/testing/with-worker-queue.ts";
import { workAll, workOnce } from "../testing/work.ts";
import { replayJob } from "./replay.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { db } = queue;
const contextOf = (accountId: string) =>
  testContext(db, accountId, {
    sealer: testSealer,
    variables: { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" },
  });

function plan(to: ActionQueue, input: object) {
  const replay = bulkReplaySchema.parse({ filter: { hookId: to.hookId }, ...input });
  return planReplay(testContext(db, to.accountId), replay);
}

async function start(to: ActionQueue, input: object): Promise<string> {
  const filter = { hookId: to.hookId };
  return (await startReplay(testContext(db, to.accountId), { filter, ...input })).id;
}

async function add(to: ActionQueue, count: number): Promise<string[]> {
  for (let index = 0; index < count; index += 1)
    await queue.addRuns(to, 1, { body: JSON.stringify({ index }) });
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from deliveries where hook_id = ${to.hookId}::uuid order by id`;
  return rows.map(({ id }) => id);
}

/** Deliveries of the runs in the queue, in the order in which they are claimed. */
async function readQueue(): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select delivery_id as id from queue order by due_at, id`;
  return rows.map(({ id }) => id);
}

const template = (url: string, body: object) => ({ method: "POST" as const, url, body });

describe("a replay of many deliveries", () => {
  it("queues accepted ones in the order in which they arrived, and none that arrive later", async () => {
    const to = await queue.addActionQueue({ request: template("http://127.0.0.1:8099/", {}) });
    const [rejected, ...ids] = await add(to, 5);
    await db.$executeRaw`update deliveries set status = 'rejected' where id = ${rejected}::uuid`;
    await db.$executeRaw`truncate queue`;
    const planned = await plan(to, {});
    expect([planned.total, planned.sample.map(({ deliveryId }) => deliveryId)]).toEqual([4, ids]);
    const id = await start(to, {});
    const later = await add(to, 1);
    await db.$executeRaw`truncate queue`;
    await workAll(replayJob(db));
    expect(await readQueue()).toEqual(ids);
    expect(later).toHaveLength(6);
    const job = await getBulkJob(db, to.accountId, id);
    expect(job).toMatchObject({ status: "finished", total: 4, changedCount: 4 });
  });

  it.each([
    ["behind", -3_600_000],
    ["ahead of", 3_600_000],
  ])("queues the same with a clock that is %s the one that catches", async (_where, aheadMs) => {
    const to = await queue.addActionQueue({ request: template("http://127.0.0.1:8099/", {}) });
    await add(to, 2);
    // As if the deliveries had come to a machine with another clock.
    await db.$executeRaw`
      update deliveries set id = uuid_v7_at(now() - ${aheadMs}::int * interval '1 ms' + uuid_v7_ms(id) % 1000 * interval '1 ms')
      where hook_id = ${to.hookId}::uuid`;
    const rows = await db.$queryRaw<{ id: string }[]>`
      select id from deliveries where hook_id = ${to.hookId}::uuid order by id`;
    await start(to, {});
    await queue.addRuns(to, 1);
    await db.$executeRaw`
      update deliveries set id = uuid_v7_at(now() - ${aheadMs}::int * interval '1 ms' + interval '1 minute')
      where hook_id = ${to.hookId}::uuid and not id = any (${rows.map((row) => row.id)}::uuid[])`;
    await db.$executeRaw`truncate queue`;
    await workAll(replayJob(db));
    expect(await readQueue()).toEqual(rows.map((row) => row.id));
  });

  it("of those without a run is a backfill: each delivery is done once, however often it is asked for", async () => {
    const to = await queue.addActionQueue({ request: template("http://127.0.0.1:8099/", {}) });
    const [done, ...missing] = await add(to, 3);
    await db.$executeRaw`delete from queue where delivery_id <> ${done}::uuid`;
    await start(to, { onlyMissing: true });
    await workAll(replayJob(db));
    expect(await readQueue()).toEqual([done, ...missing]);
    await expect(start(to, { onlyMissing: true })).rejects.toMatchObject({ code: "conflict" });
  });

  it("says when and why its batch failed, until one succeeds", async () => {
    const to = await queue.addActionQueue({ request: template("http://127.0.0.1:8099/", {}) });
    await add(to, 2);
    await db.$executeRaw`truncate queue`;
    const id = await start(to, {});
    const read = () => getBulkJob(db, to.accountId, id);
    expect(await read()).toMatchObject({ status: "running", problem: null });
    await db.$executeRaw`
      create function reject_all() returns trigger language plpgsql as $$ begin raise exception 'The disk is full.'; end $$`;
    await db.$executeRaw`create trigger reject_all before insert on queue execute function reject_all()`;
    for (const _try of [1, 2])
      await expect(workOnce(replayJob(db))).rejects.toThrow("The disk is full.");
    expect(await read()).toMatchObject({
      status: "running",
      changedCount: 0,
      pauseReason: null,
      problem: expect.stringMatching(
        /^Its last batch failed at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, and is tried again: The disk is full\.$/,
      ),
    });
    await db.$executeRaw`drop function reject_all cascade`;
    await workAll(replayJob(db));
    expect(await read()).toMatchObject({
      status: "finished",
      changedCount: 2,
      problem: null,
      pauseReason: null,
    });
  });

  it("keeps its rate, and doesn't catch up on a pause", async () => {
    const to = await queue.addActionQueue({ request: template("http://127.0.0.1:8099/", {}) });
    await add(to, 5);
    await db.$executeRaw`truncate queue`;
    await start(to, { ratePerMinute: 60 });
    expect([await workOnce(replayJob(db)), await workOnce(replayJob(db))]).toEqual([true, false]);
    expect(await readQueue()).toHaveLength(1);
    await db.$executeRaw`update bulk_jobs set next_at = now() - interval '1 hour'`;
    await workAll(replayJob(db));
    expect(await readQueue()).toHaveLength(3);
  });

  it("pauses after failures, continues when it is resumed, and stops again", {
    tags: "variant",
  }, async () => {
    await using receiver = await startReceiver((response) => response.writeHead(500).end());
    await using _worker = startTestWorker({ url: queue.url });
    const to = await queue.addActionQueue({
      request: template(receiver.url, {}),
      retry: { maxAttempts: 1, initialDelayMs: 100, maxDelayMs: 100, on: ["5xx"] },
    });
    const made = await queue.addRuns(to, 1);
    await untilFinished(made[0] ?? "");
    const bodies = Array.from({ length: 149 }, () => queue.addRuns(to, 1, { dueInMs: 3_600_000 }));
    await Promise.all(bodies);
    await db.$executeRaw`delete from queue`;
    const id = await start(to, { stopAfterFailures: 2 });
    const until = async (status: string) =>
      await expect
        .poll(async () => {
          await db.$executeRaw`update bulk_jobs set next_at = null`;
          await workOnce(replayJob(db));
          return (await getBulkJob(db, to.accountId, id)).status;
        }, patience)
        .toBe(status);
    await until("paused");
    const paused = await getBulkJob(db, to.accountId, id);
    expect(paused).toMatchObject({ pauseReason: expect.stringContaining("failed") });
    expect(paused.changedCount).toBeLessThan(150);
    await resumeBulkJob(testContext(db, to.accountId), { id });
    await until("paused");
  });
});

type BearerAuth = { readonly type: "bearer"; readonly token: string };

describe("a request that is replayed as it was", () => {
  const setUp = async (url: string, body: object) => {
    const { accountId, hookId } = await queue.addActionQueue();
    const auth = { type: "bearer" as const, token: "token-of-then" };
    const request = { ...template(url, body), auth };
    const action = await createAction(contextOf(accountId), {
      id: hookId,
      name: "An action",
      request,
    });
    const to = { accountId, hookId, targetId: action.id };
    const [runId = ""] = await queue.addRuns(to, 1, { body: '{"big":12345678901234567890123}' });
    return { to, runId };
  };
  const change = (to: ActionQueue, url: string, auth: BearerAuth | null) =>
    updateAction(contextOf(to.accountId), {
      id: to.targetId,
      request: { ...template(url, { of: "now" }), auth },
    });
  const replay = async (to: ActionQueue) => {
    await start(to, { as: "then", actionIds: [to.targetId] });
    await workAll(replayJob(db));
    const [row] = await db.$queryRaw<{ id: string }[]>`
      select run_id as id from bulk_job_runs order by run_id desc limit 1`;
    return row?.id ?? "";
  };

  it("is the same byte for byte, with a new key and the credentials of now", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const { to, runId } = await setUp(receiver.url, {
      big: "{{ payload.big }}",
      at: "{{ 'now' | date: '%s.%L' }}",
    });
    await untilFinished(runId);
    await change(to, receiver.url, { type: "bearer", token: "token-of-now" });
    // The second one replays the first.
    for (const place of [1, 2]) {
      const again = await replay(to);
      expect(await untilFinished(again)).toMatchObject({ state: "succeeded" });
      const [then, now] = [receiver.calls[0], receiver.calls[place]];
      expect(then?.body).toContain('"big":12345678901234567890123');
      expect(now?.body).toBe(then?.body);
      expect(now?.headers.authorization).toBe("Bearer token-of-now");
      expect(now?.headers["idempotency-key"]).toBe(again);
    }
  });

  it("is sent from the history if its version is gone, and not at all if a part is missing", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const { to, runId } = await setUp(receiver.url, { a: "{{ payload.big }}" });
    await untilFinished(runId);
    await change(to, receiver.url, null);
    await db.$executeRaw`delete from action_versions`;
    // The history doesn't store its credential.
    const refused = await replay(to);
    expect((await untilFinished(refused)).reason).toContain("request_not_repeatable");
    expect(receiver.calls).toHaveLength(1);
    await db.$executeRaw`
      update runs set request = replace(request, '["Authorization","[redacted]"],', '') where id = ${runId}::uuid`;
    const [row] = await db.$queryRaw<{ request: string }[]>`
      select request from runs where id = ${runId}::uuid`;
    expect(row?.request).not.toContain("redacted");
    const sent = await replay(to);
    expect((await untilFinished(sent)).state).toBe("succeeded");
    expect(receiver.calls[1]?.body).toBe(receiver.calls[0]?.body);
  });

  it("is the same when its run is retried long after the replay has finished", {
    tags: "variant",
  }, async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const { to, runId } = await setUp(receiver.url, { of: "then" });
    await untilFinished(runId);
    await change(to, receiver.url, { type: "bearer", token: "token-of-now" });
    const again = await replay(to);
    await untilFinished(again);
    await db.$executeRaw`update bulk_jobs set finished_at = now() - interval '31 days'`;
    await sweepShortLived(db);
    await retryRun(contextOf(to.accountId), { id: again });
    expect((await untilFinished(again)).state).toBe("succeeded");
    expect(receiver.calls.map(({ body }) => body)).toEqual(Array(3).fill('{"of":"then"}'));
    // Once its runs are gone, nothing can be sent again.
    await db.$executeRaw`delete from runs`;
    await sweepShortLived(db);
    expect(await db.bulkJob.count()).toBe(0);
  });

  it("a plan says how many requests of then can't be sent again, and why", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const { to, runId } = await setUp(receiver.url, { a: 1 });
    await untilFinished(runId);
    const planAs = (as: "now" | "then") => plan(to, { as, actionIds: [to.targetId] });
    expect(await planAs("now")).toMatchObject({ total: 1, leftOut: null });
    expect(await planAs("then")).toMatchObject({
      total: 1,
      leftOut: { notStored: 0, nothingSent: 0 },
    });
    // Versions before the history stored the request kept it only with the attempts.
    await db.$executeRaw`
      with old as (
        update runs set request = null, response = null, started_at = null, duration_ms = null, version = null
        where id = ${runId}::uuid returning id, account_id
      )
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request)
      select uuid_v7_at(now()), id, account_id, 1, now(), 1, '{"method":"POST","url":"http://old.example/"}' from old`;
    const [skipped = ""] = await queue.addRuns(to, 1, {});
    await db.$executeRaw`delete from queue where id = ${skipped}::uuid`;
    expect(await planAs("then")).toMatchObject({
      total: 0,
      leftOut: { notStored: 1, nothingSent: 1 },
    });
    await expect(start(to, { as: "then", actionIds: [to.targetId] })).rejects.toThrow(
      /Nothing to replay: 1 run is from before an upgrade/,
    );
  });
});
