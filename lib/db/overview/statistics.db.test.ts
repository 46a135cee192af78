import { expect, it, onTestFinished, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { idFloor } from "#lib/core/api/page.ts";
import { sweepRejectedBefore } from "#lib/db/deliveries/retention/rejected-retention.ts";
import { removeHookDeliveriesBefore } from "#lib/db/hooks/hook-retention.ts";
import { findLastOutcomes } from "#lib/db/runs/open-runs.ts";
import { recountHours, rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { addRun, endRuns } from "#lib/db/testing/test-runs.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import type { StoredRunState } from "#lib/schema/act/run-states.ts";
import {
  readAccountStatistics,
  readActionStatistics,
  readHookStatistics,
  toRate,
} from "./statistics.ts";

const { db } = withDatabase();
const hour = 3_600_000;
const nowMs = Date.now();
const thisHour = Math.floor(nowMs / hour) * hour;

type Owner = { accountId: string; hookId: string; actionId: string };

async function makeOwner(): Promise<Owner> {
  const [accountId, hookId, actionId] = [newId(), newId(), newId()];
  await db.account.create({ data: { id: accountId, slug: accountId, name: "n" } });
  await db.hook.create({
    data: { id: hookId, accountId, key: hookId, name: "n", provider: "generic", methods: ["POST"] },
  });
  await db.action.create({
    data: { id: actionId, accountId, hookId, name: "a", request: {}, timeoutMs: 1000 },
  });
  return { accountId, hookId, actionId };
}

/** An id created at that time. */
function idAt(ms: number): string {
  return idFloor(ms).slice(0, 14) + newId().slice(14);
}

async function deliver(
  { accountId, hookId }: Owner,
  ms: number,
  status = "accepted",
): Promise<string> {
  const id = idAt(ms);
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, body_size, body, verification_outcome, source_ip)
    values (${id}::uuid, ${accountId}::uuid, ${hookId}::uuid, ${status}, ${new Date(ms)}, 'POST', '', '', '[]', 0, '', 'verified', '127.0.0.1')`;
  return id;
}

async function run(
  owner: Owner,
  ms: number,
  state: StoredRunState,
  calledAfterMs?: number,
): Promise<string> {
  const deliveryId = await deliver(owner, ms);
  return await addRun(db, {
    ...owner,
    id: idAt(ms),
    targetId: owner.actionId,
    deliveryId,
    state,
    ...(calledAfterMs === undefined ? {} : { attemptCount: 1, startedAtMs: ms + calledAfterMs }),
  });
}

async function rollUp(): Promise<void> {
  while (await rollUpStep(db, nowMs - 31 * 24 * hour));
}
/** Up to the hour in which the tests started, also if another one has started since. */
const read = ({ accountId }: Owner, hours = 24) =>
  readAccountStatistics(db, accountId, {
    fromMs: thisHour - (hours - 1) * hour,
    bucketMs: hour,
    nowMs,
  });

it("statistics are the same before a roll-up, after it, and after any number of them", async () => {
  const owner = await makeOwner();
  await deliver(owner, nowMs - 5 * hour, "rejected");
  await deliver(owner, nowMs - 5 * hour, "duplicate");
  await run(owner, nowMs - 3 * hour, "succeeded");
  await run(owner, nowMs - 3 * hour, "failed");
  await run(owner, nowMs - 2_000, "succeeded");
  const before = await read(owner);
  expect(before).toMatchObject({
    deliveries: { accepted: 3, duplicate: 1, rejected: 1 },
    runs: { succeeded: 2, failed: 1, open: 0 },
    successRate: 2 / 3,
  });
  expect(before.buckets).toHaveLength(24);
  expect(before.buckets.at(-4)?.runs).toMatchObject({ succeeded: 1, failed: 1 });
  for (let n = 0; n < 3; n += 1) {
    await rollUp();
    const { wait: _, ...after } = await read(owner);
    const { wait: __, ...expected } = before;
    expect(after).toEqual(expected);
  }
  const counted = await db.deliveryStatistic.aggregate({
    where: owner.hookId ? { hookId: owner.hookId } : {},
    _sum: { count: true },
  });
  expect(Number(counted._sum.count)).toBe(4);
});

it("a failed call that is retried counts as failed at once, also for its action, until it succeeds", async () => {
  const owner = await makeOwner();
  const since = nowMs - 24 * hour;
  await run(owner, nowMs - 2 * hour, "succeeded");
  const retrying = await run(owner, nowMs - hour, "retrying");
  await recountHours(db, [retrying, idAt(nowMs - 2 * hour)]);
  await rollUp();
  const ofAction = async () =>
    [...(await readActionStatistics(db, owner.accountId, owner.hookId)).entries()].map(
      ([id, runs]) => ({
        isOurs: id === owner.actionId,
        rate: toRate(runs),
      }),
    );
  const last = async () =>
    (await findLastOutcomes(db, owner.accountId, [owner.actionId], since)).get(owner.actionId);
  expect((await read(owner)).successRate).toBe(0.5);
  expect(await ofAction()).toEqual([{ isOurs: true, rate: 0.5 }]);
  expect(await last()).toBe("failed");
  await endRuns(db, [retrying], { state: "succeeded" });
  await recountHours(db, [retrying]);
  await rollUp();
  expect((await read(owner)).successRate).toBe(1);
  expect(await last()).toBe("succeeded");
  const other = await makeOwner();
  expect((await findLastOutcomes(db, other.accountId, [owner.actionId], since)).size).toBe(0);
  expect((await readActionStatistics(db, other.accountId, owner.hookId)).size).toBe(0);
});

it("deliveries that arrive after a roll-up are counted at once", async () => {
  const owner = await makeOwner();
  await rollUp();
  // Another hour may begin meanwhile.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const atMs = Date.now();
  await run(owner, atMs, "failed");
  const fromMs = Math.floor(atMs / hour) * hour - 23 * hour;
  const range = { fromMs, bucketMs: hour, nowMs: atMs };
  expect(await readAccountStatistics(db, owner.accountId, range)).toMatchObject({
    deliveries: { accepted: 1 },
    runs: { failed: 1 },
  });
  const hooks = await readHookStatistics(db, owner.accountId, [owner.hookId]);
  expect(hooks.get(owner.hookId)).toMatchObject({
    deliveries: { accepted: 1 },
    runs: { failed: 1 },
    successRate: 0,
    last: { status: "accepted" },
  });
  expect(hooks.get(owner.hookId)?.hours.at(-1)?.deliveries.accepted).toBe(1);
});

it("an hour is counted again when one of its runs is retried, and while one is open", async () => {
  const owner = await makeOwner();
  const [failed, open] = [
    await run(owner, nowMs - 6 * hour, "failed"),
    await run(owner, nowMs - 6 * hour, "retrying"),
  ];
  await db.$executeRaw`delete from statistics_hours`;
  await db.$executeRaw`delete from run_statistics`;
  await db.$executeRaw`delete from delivery_statistics`;
  await rollUp();
  expect((await read(owner)).runs).toMatchObject({ failed: 1, retrying: 1, succeeded: 0 });
  await db.run.update({ where: { id: failed }, data: { state: "succeeded" } });
  await recountHours(db, [failed]);
  await rollUp();
  expect((await read(owner)).runs).toMatchObject({ failed: 0, retrying: 1, succeeded: 1 });
  await endRuns(db, [open], { state: "succeeded" });
  const due = await db.statisticsHour.findMany({ where: { recountAt: { not: null } } });
  expect(due.map((row) => row.hour.getTime())).toContain(
    Math.floor((nowMs - 6 * hour) / hour) * hour,
  );
  await db.$executeRaw`update statistics_hours set recount_at = now() - interval '1 ms' where recount_at is not null`;
  await rollUp();
  expect((await read(owner)).runs).toMatchObject({ failed: 0, open: 0, succeeded: 2 });
  expect((await read(owner)).deliveries.accepted).toBe(2);
});

it("an hour that is no longer counted doesn't keep others from being counted again", async () => {
  const owner = await makeOwner();
  const failed = await run(owner, nowMs - 4 * hour, "failed");
  await recountHours(db, [failed]);
  await rollUp();
  const old = nowMs - 40 * 24 * hour;
  const oldHour = new Date(Math.floor(old / hour) * hour);
  await db.statisticsHour.create({ data: { hour: oldHour, countedUntil: new Date(old) } });
  await recountHours(db, [idAt(old)]);
  await db.run.update({ where: { id: failed }, data: { state: "succeeded" } });
  await recountHours(db, [failed]);
  await rollUp();
  expect((await read(owner)).runs).toMatchObject({ failed: 0, succeeded: 1 });
  await db.statisticsHour.delete({ where: { hour: oldHour } });
});

it("a recount keeps what a hook's own retention has removed, and counts the rest as it is", async () => {
  const owner = await makeOwner();
  await db.hook.update({ where: { id: owner.hookId }, data: { retentionCount: 3 } });
  const at = thisHour - 5 * hour;
  for (let n = 0; n < 4; n += 1) await run(owner, at + n * 1_000, "succeeded");
  const failed = await run(owner, at + 60_000, "failed");
  const open = await run(owner, at + 70_000, "retrying");
  await deliver(owner, at + 80_000, "rejected");
  await recountHours(db, [failed]);
  await rollUp();
  await db.run.update({ where: { id: failed }, data: { state: "succeeded" } });
  await recountHours(db, [failed]);
  await rollUp();
  expect((await read(owner)).runs).toMatchObject({ succeeded: 5, failed: 0, retrying: 1 });
  await removeHookDeliveriesBefore(db, owner.hookId, {
    ...{ end: idFloor(at + 30_000), byCount: idFloor(at + 30_000), storedBefore: new Date() },
  });
  await endRuns(db, [open], { state: "failed" });
  await recountHours(db, [open]);
  await rollUp();
  const { deliveries, runs } = await read(owner);
  expect(deliveries).toMatchObject({ accepted: 6, rejected: 1 });
  expect(runs).toMatchObject({ succeeded: 5, failed: 1, open: 0 });
});

it("a recount keeps rejected deliveries that retention has removed", async () => {
  const owner = await makeOwner();
  const at = thisHour - 72 * hour;
  for (const status of ["rejected", "rejected", "handshake"]) await deliver(owner, at, status);
  const open = await run(owner, at, "retrying");
  await recountHours(db, [open]);
  await rollUp();
  await sweepRejectedBefore(db, new Date(nowMs - 24 * hour), () => false);
  await endRuns(db, [open], { state: "succeeded" });
  await recountHours(db, [open]);
  await rollUp();
  const { deliveries, runs } = await read(owner, 96);
  expect(deliveries).toMatchObject({ accepted: 1, rejected: 2, handshake: 1 });
  expect(runs).toMatchObject({ succeeded: 1, open: 0 });
});

it("the time to the first call excludes replays", async () => {
  const owner = await makeOwner();
  const at = nowMs - 8 * hour;
  for (const ms of [10, 10, 10, 10, 10, 10, 10, 10, 10, 5_000])
    await run(owner, at, "succeeded", ms);
  const replayed = await run(owner, at, "succeeded", 100_000);
  const old = await deliver(owner, at - 2 * hour);
  await db.$executeRaw`update runs set delivery_id = ${old}::uuid where id = ${replayed}::uuid`;
  await recountHours(db, [replayed]);
  await rollUp();
  const { wait } = await read(owner);
  expect(wait?.p50Ms).toBeGreaterThan(8);
  expect(wait?.p50Ms).toBeLessThan(13);
  expect(wait?.p95Ms).toBeGreaterThan(4_000);
  expect(wait?.p95Ms).toBeLessThan(6_500);
});

it("one account's statistics exclude those of others and of deleted hooks", async () => {
  const [owner, other] = [await makeOwner(), await makeOwner()];
  await run(owner, nowMs - hour, "succeeded");
  await run(other, nowMs - hour, "failed");
  await recountHours(db, [idAt(nowMs - hour)]);
  await rollUp();
  expect((await read(owner)).runs).toMatchObject({ succeeded: 1, failed: 0 });
  expect((await readHookStatistics(db, owner.accountId, [other.hookId])).size).toBe(0);
  await db.hook.update({ where: { id: owner.hookId }, data: { deletedAt: new Date() } });
  expect(await read(owner)).toMatchObject({ deliveries: { accepted: 0 }, runs: { succeeded: 0 } });
});

it("of two roll-ups at once one steps aside, and nothing is counted twice", async () => {
  const owner = await makeOwner();
  for (let n = 0; n < 5; n += 1) await run(owner, nowMs - 20 * hour, "succeeded");
  await db.$executeRaw`delete from statistics_hours`;
  await db.$executeRaw`delete from run_statistics`;
  await db.$executeRaw`delete from delivery_statistics`;
  await Promise.all([rollUp(), rollUp(), rollUp()]);
  await rollUp();
  expect((await read(owner)).runs.succeeded).toBe(5);
  expect((await read(owner)).deliveries.accepted).toBe(5);
});
