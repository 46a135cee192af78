import { afterAll, beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { openProblem, resolveProblem } from "#lib/db/problems/record-problems.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { takeTurn } from "#lib/jobs/run-jobs.ts";
import { planAlertsJob } from "./alerts.ts";
import { problemJobs } from "./find-problems.ts";

const queue = await createQueueFixture();
const { db } = queue;
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(async () => {
  const found = ["problems", "rejected_counts", "muted_failures"];
  await emptyTables(db, "runs", "queue", "attempts", "deliveries", ...found);
  await db.$executeRaw`update problem_scans set scanned_until = now() - interval '1 second'`;
});

const never = new AbortController().signal;
/** Looks until nothing is left, after the rules did. What just happened is settled, and what is over ends at once. */
async function look(quietMs = 0): Promise<void> {
  // Rows and the scan may be of the same millisecond, which is not settled.
  await db.$queryRaw`select 1 from pg_sleep(0.02)`;
  const jobs = problemJobs(db, { settleMs: 0, runsSettleMs: 0, quietMs });
  await takeTurn({ jobs: [planAlertsJob({ db })] }, 0, never);
  await takeTurn({ jobs }, 0, never);
}

const readProblems = () =>
  db.problem.findMany({
    orderBy: { id: "asc" },
    include: { counts: { select: { count: true } } },
  });

it("10,000 failures of an action are one problem with that count, found by two workers at once", async () => {
  const { accountId, hookId, targetId } = await queue.addActionQueue();
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, finished_at, attempt_count, state, reason_code, reason_detail, response)
    select uuid_v7_at(clock_timestamp()), ${accountId}::uuid, ${targetId}::uuid, ${hookId}::uuid, now() - n * interval '50 microseconds', 1, 'failed',
      'not_retried', 'It failed.', case when n % 2 = 0 then '{"status":503}' else '{"status":500}' end
    from generate_series(1, 10000) as t(n)`;
  await Promise.all([look(), look(), look()]);
  await look();
  const [problem, ...others] = await readProblems();
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    accountId,
    hookId,
    kind: "action_failing",
    state: "open",
    actionId: targetId,
    reason: "receiver_down",
    count: 10_000n,
    details: { kind: "action_failing", message: "It failed." },
  });
  expect(problem?.counts.reduce((sum, { count }) => sum + count, 0n)).toBe(10_000n);
});

it("attempts that are retried and the last one are one problem, which ends with a later success", async () => {
  const target = await queue.addActionQueue();
  const { accountId, targetId, hookId } = target;
  const [retried = ""] = await queue.addRuns(target, 1);
  await db.$executeRaw`update queue set reason_code = 'retry', reason_detail = 'It responded with 502.', attempt_count = 2`;
  for (const number of [1, 2]) {
    await db.$executeRaw`
      insert into attempts (id, run_id, account_id, number, started_at, duration_ms, response)
      values (${newId()}::uuid, ${retried}::uuid, ${accountId}::uuid, ${number}::int, now(), 1, '{"status":502}')`;
  }
  await db.$executeRaw`
    insert into attempts (id, run_id, account_id, number, started_at, duration_ms, error_code)
    values (${newId()}::uuid, ${retried}::uuid, ${accountId}::uuid, 3, now(), 1, 'outcome_unknown')`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, finished_at, attempt_count, state, reason_code, error_code)
    values (${newId()}::uuid, ${accountId}::uuid, ${targetId}::uuid, ${hookId}::uuid, now(), 10, 'failed', 'attempts_exhausted', 'timeout')`;
  await look();
  const open = await readProblems();
  expect(open).toMatchObject([{ reason: "receiver_down", count: 3n, state: "open" }]);

  await look();
  expect((await readProblems())[0]?.state).toBe("open");
  await addRun(db, { accountId, targetId, hookId, state: "succeeded" });
  await look(60_000);
  expect((await readProblems())[0]?.state).toBe("open");
  await look();
  expect(await readProblems()).toMatchObject([
    { state: "resolved", resolution: "recovered", resolvedBy: null, isChanged: true },
  ]);

  await addRun(db, { accountId, targetId, hookId, state: "failed", reasonCode: "mapping_failed" });
  await look();
  expect(await readProblems()).toMatchObject([
    { state: "resolved", count: 3n },
    { state: "open", count: 1n, reason: "mapping_failed" },
  ]);
});

it("muted failures open no problem and end an open one, and so does deleting the action", async () => {
  const [muted, deleted] = [await queue.addActionQueue(), await queue.addActionQueue()];
  const fail = async ({ accountId, targetId, hookId }: typeof muted) =>
    await addRun(db, {
      accountId,
      targetId,
      hookId,
      state: "failed",
      reasonCode: "mapping_failed",
    });
  await fail(muted);
  await fail(deleted);
  await look();
  expect(await readProblems()).toHaveLength(2);
  await db.$executeRaw`
    insert into muted_failures (target_id, reason, account_id, action_id, version, muted_at)
    values (${muted.targetId}::uuid, 'mapping_failed', ${muted.accountId}::uuid, ${muted.targetId}::uuid, 1, now())`;
  await db.$executeRaw`update actions set deleted_at = now() where id = ${deleted.targetId}::uuid`;
  await fail(muted);
  await fail(deleted);
  await look();
  const problems = (await readProblems()).map(({ actionId, resolution, count }) => [
    actionId === muted.targetId ? "muted" : "deleted",
    resolution,
    count,
  ]);
  expect(problems.toSorted()).toEqual([
    ["deleted", "deleted", 1n],
    ["muted", "muted", 1n],
  ]);
});

it("a problem of an action ends once it is disabled, after the rules and a while", async () => {
  const { accountId, hookId, targetId } = await queue.addActionQueue();
  const fail = () =>
    addRun(db, { accountId, targetId, hookId, state: "failed", reasonCode: "mapping_failed" });
  const read = async () =>
    (await readProblems()).map(({ state, resolution }) => [state, resolution]);
  await fail();
  await look();
  await look();
  expect(await read()).toEqual([["open", null]]);
  await db.$executeRaw`update actions set enabled = false where id = ${targetId}::uuid`;
  await look(300_000);
  expect(await read()).toEqual([["open", null]]);
  await look();
  expect(await read()).toEqual([["resolved", "disabled"]]);
  await look();
  // Enabled again, it may fail again.
  await db.$executeRaw`update actions set enabled = true where id = ${targetId}::uuid`;
  await fail();
  await look();
  expect(await read()).toEqual([
    ["resolved", "disabled"],
    ["open", null],
  ]);
});

it("a problem of a subscription ends once it is disabled, after the rules and a while", async () => {
  const accountId = await queue.addAccount();
  const targetId = await addSubscription(db, accountId);
  await addRun(db, { accountId, targetId, state: "failed", reasonCode: "gone" });
  await look();
  const read = async () => (await readProblems()).map(({ kind, resolution }) => [kind, resolution]);
  await look();
  expect(await read()).toEqual([["subscription_failing", null]]);
  await db.$executeRaw`update subscriptions set status = 'disabled' where id = ${targetId}::uuid`;
  await look(300_000);
  expect(await read()).toEqual([["subscription_failing", null]]);
  await look();
  expect(await read()).toEqual([["subscription_failing", "disabled"]]);
});

it("rejections of a hook with one reason are one problem, with those that are only counted", async () => {
  const { accountId, hookId } = await queue.addActionQueue();
  const deliver = (status: string, reason: string | null) => db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, reason, detail, received_at, method, path, query, headers, body_size, body,
      verification_outcome, source_ip)
    values (${newId()}::uuid, ${accountId}::uuid, ${hookId}::uuid, ${status}, ${reason}, 'It is wrong.', now(), 'POST', '/', '',
      '[]'::json, 0, '', 'failed', '127.0.0.1')`;
  await db.$executeRaw`update problem_scans set scanned_until = now() - interval '10 minutes'`;
  await db.$executeRaw`
    insert into rejected_counts (hook_id, minute, reason, account_id, count)
    values (${hookId}::uuid, date_trunc('minute', now() - interval '4 minutes'), 'signature_invalid', ${accountId}::uuid, 500)`;
  await deliver("rejected", "signature_invalid");
  await deliver("rejected", "signature_invalid");
  await look();
  await look();
  const [problem, ...others] = await readProblems();
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    kind: "rejected",
    hookId,
    reason: "signature_invalid",
    count: 502n,
    details: { message: "It is wrong." },
  });
  expect(problem?.deliveryId).not.toBeNull();
  await deliver("accepted", null);
  await look();
  expect(await readProblems()).toMatchObject([{ state: "resolved", resolution: "recovered" }]);
});

it("what others open is counted while it is open, resolved by its key, and opened again after that", async () => {
  const { accountId, hookId } = await queue.addActionQueue();
  const details = { kind: "shape" as const, eventType: "a.b", changes: [], actions: [] };
  const kind = "shape" as const;
  const problem = { accountId, hookId, kind, key: "shape:a.b", details };
  const at = new Date();
  await openProblem(db, { ...problem, at });
  await openProblem(db, { ...problem, at });
  await resolveProblem(db, accountId, "shape:a.b");
  await openProblem(db, { ...problem, at });
  await look();
  expect(await readProblems()).toMatchObject([
    { state: "resolved", resolution: "recovered", count: 2n },
    { state: "open", count: 1n },
  ]);
});
