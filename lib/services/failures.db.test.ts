import { beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { countReads } from "#lib/db/testing/count-reads.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { addAccount, addSubscription } from "#lib/db/testing/test-subscription.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { failureBars } from "#lib/schema/watch/failure.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { listFailures, muteFailures, unmuteFailures } from "./failures.ts";
import { countRunsByReason } from "./runs.ts";

// One connection, so that its reads are counted.
const { db } = withDatabase({ poolSize: 1 });
let hook: HookRecord;
let actionId: string;

beforeEach(async () => {
  hook = await addHook(db);
  actionId = await addAction(db, hook);
});

function context(accountId = hook.accountId) {
  return testContext(db, accountId);
}

/** Adds failed runs that a worker would have made. */
async function fail(reasonCode: string | null, count = 1, more: object = {}): Promise<void> {
  const { accountId, id: hookId } = hook;
  for (let n = 0; n < count; n += 1) {
    const reasonDetail = reasonCode === null ? null : `Failed ${n + 1}`;
    const run = { accountId, targetId: actionId, hookId, reasonCode, reasonDetail, ...more };
    await addRun(db, { state: "failed", ...run });
  }
}

/** The groups as `reason: count`, muted ones in brackets. */
async function listGroups(accountId = hook.accountId): Promise<readonly string[]> {
  const { failures } = await listFailures(context(accountId), {});
  return failures.map(({ reason, count, mutedAt }) =>
    mutedAt === null ? `${reason}: ${count}` : `(${reason}: ${count})`,
  );
}

it("groups failed runs by action or subscription and reason, most first, with the last one as the example", async () => {
  await fail("mapping_failed", 3);
  await fail("not_retried", 2);
  await fail(null);
  await fail("filter_not_matched", 1, { state: "skipped" });
  await fail("retry", 1, { state: "retrying" });
  const subscriptionId = await addSubscription(db, hook.accountId, { recipient: "cust_1" });
  await fail("gone", 4, { targetId: subscriptionId, hookId: null });
  const { failures, ...rest } = await listFailures(context(), {});
  expect(rest).toMatchObject({ more: 0, isComplete: true });
  expect(failures.map(({ reason, count }) => `${reason}: ${count}`)).toEqual([
    "gone: 4",
    "mapping_failed: 3",
    "not_retried: 2",
    "unknown: 1",
  ]);
  const [gone, mapping] = failures;
  expect(gone).toMatchObject({ actionId: null, subscriptionId, mutedAt: null });
  expect(gone?.example).toMatchObject({ recipient: "cust_1" });
  expect(mapping).toMatchObject({ actionId, subscriptionId: null });
  expect(mapping?.example).toMatchObject({ reason: { detail: "Failed 3" }, actionName: "act" });
  expect(mapping?.bars).toEqual([...Array(failureBars - 1).fill(0), 3]);
  expect(mapping?.firstAt.getTime()).toBeLessThanOrEqual(mapping?.lastAt.getTime() ?? 0);
});

it("counts only what was created in the time that is asked for, each run in its part of it", async () => {
  await fail("not_retried");
  const hourMs = 3_600_000;
  // Later than the run, whose id may be ahead of the clock.
  const at = Date.now() + 60_000;
  const ask = async (from: number, to: number) => {
    const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    return (await listFailures(context(), query)).failures.map(({ bars }) => bars.indexOf(1));
  };
  expect(await ask(at - hourMs, at + 27 * hourMs)).toEqual([0]);
  expect(await ask(at - 27 * hourMs, at + hourMs)).toEqual([failureBars - 2]);
  expect(await ask(at - 2 * hourMs, at - hourMs)).toEqual([]);
  expect(await ask(at + hourMs, at + 2 * hourMs)).toEqual([]);
});

it("hides deleted actions, hooks, and subscriptions, and other accounts", async () => {
  await fail("mapping_failed");
  expect(await listGroups(await addAccount(db))).toEqual([]);
  await db.action.update({ where: { id: actionId }, data: { deletedAt: new Date() } });
  expect(await listGroups()).toEqual([]);
  await db.action.update({ where: { id: actionId }, data: { deletedAt: null } });
  await db.hook.update({ where: { id: hook.id }, data: { deletedAt: new Date() } });
  expect(await listGroups()).toEqual([]);
  const deletedAt = new Date();
  const targetId = await addSubscription(db, hook.accountId, { deletedAt });
  await fail("gone", 1, { targetId, hookId: null });
  expect(await listGroups()).toEqual([]);
});

it("a muted group comes last until it is unmuted, or its action has another version", async () => {
  await fail("mapping_failed", 2);
  await fail("not_retried");
  const key = { actionId, reason: "mapping_failed" };
  for (const _ of [1, 2]) await muteFailures(context(), key);
  expect(await listGroups()).toEqual(["not_retried: 1", "(mapping_failed: 2)"]);
  await unmuteFailures(context(), key);
  expect(await listGroups()).toEqual(["mapping_failed: 2", "not_retried: 1"]);
  await muteFailures(context(), key);
  await db.action.update({ where: { id: actionId }, data: { enabled: false } });
  expect(await listGroups()).toContain("(mapping_failed: 2)");
  await db.action.update({ where: { id: actionId }, data: { version: 2 } });
  expect(await listGroups()).toEqual(["mapping_failed: 2", "not_retried: 1"]);
});

it("a muted group of a subscription comes back once the subscription changes", async () => {
  const subscriptionId = await addSubscription(db, hook.accountId);
  await fail("not_retried", 1, { targetId: subscriptionId, hookId: null });
  await muteFailures(context(), { subscriptionId, reason: "not_retried" });
  expect(await listGroups()).toEqual(["(not_retried: 1)"]);
  await db.$executeRaw`
    update subscriptions set updated_at = now() + interval '1 ms' where id = ${subscriptionId}::uuid`;
  expect(await listGroups()).toEqual(["not_retried: 1"]);
});

it("only existing actions and subscriptions of the account are muted, one at a time", async () => {
  const reason = "mapping_failed";
  const other = context(await addAccount(db));
  const subscriptionId = await addSubscription(db, hook.accountId);
  for (const change of [muteFailures, unmuteFailures]) {
    for (const key of [{ actionId }, { subscriptionId }, { actionId: newId() }, { actionId: "x" }])
      await expect(change(other, { ...key, reason })).rejects.toMatchObject({ code: "not_found" });
    for (const key of [{}, { actionId, subscriptionId }])
      await expect(change(context(), { ...key, reason })).rejects.toMatchObject({
        code: "invalid_request",
      });
  }
  expect(await db.mutedFailure.count({ where: { accountId: hook.accountId } })).toBe(0);
});

it("runs by reason begin with those that have one", async () => {
  await fail(null, 3, { state: "succeeded" });
  await fail("not_retried", 2);
  const { reasons } = await countRunsByReason(context(), {});
  expect(reasons.map(({ status, count }) => `${status}: ${count}`)).toEqual([
    "failed: 2",
    "succeeded: 3",
  ]);
});

it("reads the failed runs of the account once, and no others", async () => {
  const { accountId, id: hookId } = hook;
  const runs = 20_000;
  await db.$queryRaw`select ensure_weekly_partitions('runs', now() - interval '3 days', now())`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, state, reason_code, reason_detail, finished_at)
    select uuid_v7_at(now() - n * interval '10 seconds'), ${accountId}::uuid, ${actionId}::uuid, ${hookId}::uuid,
      case when n % 20 = 0 then 'failed' else 'succeeded' end, 'not_retried', 'The receiver responded with 404', now()
    from generate_series(1, ${runs}::int) n`;
  await db.$executeRawUnsafe("vacuum analyze runs");
  const read = await countReads(db, /^runs/, async () => {
    expect(await listGroups()).toEqual([`not_retried: ${runs / 20}`]);
  });
  expect(read).toBeLessThan((runs / 20) * 1.2);
});
