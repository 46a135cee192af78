import { beforeEach, expect, it, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { takeQuota } from "#lib/db/recipients/quotas.ts";
import { quotaJob } from "#lib/jobs/kinds/problems/check-quotas.ts";
import type { Quota } from "#lib/schema/send/recipient.ts";
import { getRecipient, putRecipient } from "#lib/services/recipients.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { addSubscription, addEvent } = sendFixture(queue.db, testSealer);

/** The day that a test counts must not end meanwhile. */
const day = 86_400_000;
const hasTime = () => day - (Date.now() % day) > 60_000;
beforeEach(() => vi.waitUntil(hasTime, { timeout: 120_000 }));

async function addCustomer(quota: Omit<Quota, "whenUsedUp"> & Partial<Quota>, url: string) {
  const accountId = await queue.addAccount();
  const context = testContext(queue.db, accountId);
  const id = `cust_${newId()}`;
  await putRecipient(context, { id, quota });
  const subscriptions = [];
  for (const path of ["a", "b"]) {
    const subscription = await addSubscription(accountId, { receiverUrl: `${url}/${path}` });
    await queue.db.subscription.update({
      where: { id: subscription.id },
      data: { recipient: id },
    });
    subscriptions.push(subscription);
  }
  const isUsedUp = async () => (await getRecipient(context, { id })).quotaUse?.used;
  return { accountId, context, id, subscriptions, used: isUsedUp };
}

const problemsOf = (accountId: string) =>
  queue.db.problem.findMany({ where: { accountId, kind: "quota" }, orderBy: { id: "asc" } });

it("a used-up quota holds over all workers and subscriptions, and what waits keeps its place", async () => {
  await using receiver = await startReceiver();
  await using _one = startTestWorker({ url: queue.url });
  await using _other = startTestWorker({ url: queue.url });
  const quota = { limit: 10, per: "day" } as const;
  const { context, id, subscriptions, used, accountId } = await addCustomer(quota, receiver.url);
  const runIds: string[] = [];
  for (let number = 0; number < 12; number += 1)
    runIds.push(...(await addEvent(subscriptions, { number })).runIds);
  notifyRunsDue(queue.db);
  const waiting = () => queue.db.queuedRun.findMany({ where: { accountId } });
  await expect
    .poll(
      async () =>
        (await waiting()).every(({ reasonCode }) => reasonCode === "quota") && (await used()),
    )
    .toBe(10);
  expect(receiver.calls).toHaveLength(10);
  const held = await waiting();
  expect(held).toHaveLength(14);
  const midnight = Math.floor(Date.now() / day + 1) * day;
  for (const { dueAt, attemptCount, reasonDetail } of held) {
    expect([attemptCount, dueAt.getTime() >= midnight - 1_000]).toEqual([0, true]);
    expect(reasonDetail).toContain(`${id} has used its 10 sends of the day. It waits`);
  }

  // A higher quota counts at once, and what waited goes by itself once it is due.
  await putRecipient(context, { id, quota: { limit: 24, per: "day" } });
  await queue.db.$executeRaw`update queue set due_at = now() where account_id = ${accountId}::uuid`;
  notifyRunsDue(queue.db);
  for (const runId of runIds) await untilFinished(runId);
  expect(receiver.calls).toHaveLength(24);
  expect(await used()).toBe(24);
});

it("sends beyond a quota that refuses are canceled, and say why", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  const quota = { limit: 1, per: "month", whenUsedUp: "refuse" } as const;
  const { subscriptions, id } = await addCustomer(quota, receiver.url);
  const { runIds } = await addEvent(subscriptions, {});
  notifyRunsDue(queue.db);
  for (const runId of runIds) await untilFinished(runId);
  const runs = await queue.db.run.findMany({ where: { id: { in: [...runIds] } } });
  expect(runs.map(({ state }) => state).toSorted()).toEqual(["cancelled", "succeeded"]);
  expect(runs.find(({ state }) => state === "cancelled")).toMatchObject({
    reasonCode: "quota",
    reasonDetail: `${id} has used its 1 sends of the month.`,
    attemptCount: 0,
  });
});

it("a send is counted once, however often it is tried, and a problem warns from 80% on", async () => {
  const quota = { limit: 5, per: "day", whenUsedUp: "delay" } as const;
  const { id, accountId, context, used } = await addCustomer(quota, "https://receiver.example");
  const take = (runId = newId()) =>
    takeQuota(queue.db, { id: runId, accountId }, { recipient: id, ...quota });
  const job = quotaJob(queue.db);
  const look = () => job.work(new AbortController().signal);
  const first = newId();
  await Promise.all([take(first), take(), take()]);
  expect((await take(first)).isAllowed).toBe(true);
  await look();
  expect([await used(), await problemsOf(accountId)]).toEqual([3, []]);
  await take();
  await look();
  expect(await problemsOf(accountId)).toMatchObject([{ state: "open", details: { used: 4 } }]);
  const last = await Promise.all([take(), take(), take()]);
  expect(last.map(({ isAllowed }) => isAllowed).toSorted()).toEqual([false, false, true]);
  await look();
  await look();
  expect(await problemsOf(accountId)).toMatchObject([
    { state: "open", count: 2n, details: { used: 5 } },
  ]);
  await putRecipient(context, { id, quota: { ...quota, limit: 50 } });
  await look();
  expect(await problemsOf(accountId)).toMatchObject([{ state: "resolved" }]);
  expect((await take()).isAllowed).toBe(false);
});
