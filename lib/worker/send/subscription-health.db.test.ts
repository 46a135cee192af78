import { describe, expect, it } from "vitest";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { recordSendOutcomes } from "#lib/db/subscriptions/record-send-outcomes.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { patience, withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue } = await withWorkerQueue();
const { addSubscription, addEvent } = sendFixture(queue.db, testSealer);

describe("five days of nothing but failures", () => {
  const setUp = async () => {
    const accountId = await queue.addAccount();
    const subscription = await addSubscription(accountId);
    const sent = { subscriptionId: subscription.id, accountId, version: "" };
    const fail = () => recordSendOutcomes(queue.db, [{ ...sent, outcome: "failed" }]);
    const passDays = (days: number) => queue.db.$executeRaw`
      update subscription_health set failing_since = failing_since - make_interval(days => ${days}::int)`;
    const readKinds = async () => {
      const notices = await queue.db.notice.findMany({
        where: { accountId },
        orderBy: { id: "asc" },
      });
      return notices.map(({ kind }) => kind);
    };
    return { subscription, sent, fail, passDays, readKinds };
  };

  it("give a notice after four days, and disable it after five", async () => {
    const { subscription, fail, passDays, readKinds } = await setUp();
    expect(await fail()).toEqual([]);
    await passDays(3);
    expect([await fail(), await readKinds()]).toEqual([[], []]);
    await passDays(1);
    await fail();
    expect([await fail(), await readKinds()]).toEqual([[], ["subscription_failing"]]);
    await passDays(1);
    expect(await fail()).toEqual([{ subscriptionId: subscription.id, code: "failing" }]);
    expect(await readKinds()).toEqual(["subscription_failing", "subscription_disabled"]);
    const { status } = await queue.db.subscription.findUniqueOrThrow({
      where: { id: subscription.id },
    });
    expect(status).toBe("disabled");
  });

  it("start over with one success, even one that only the history has", async () => {
    const { subscription, sent, fail, passDays, readKinds } = await setUp();
    await fail();
    await passDays(4);
    await recordSendOutcomes(queue.db, [{ ...sent, outcome: "succeeded" }]);
    await fail();
    await passDays(4);
    expect([await fail(), await readKinds()]).toEqual([[], ["subscription_failing"]]);
    // Another worker records a success.
    const [runId = ""] = (await addEvent([subscription])).runIds;
    await queue.db.$executeRaw`delete from queue where id = ${runId}::uuid`;
    await queue.db.$executeRaw`
      insert into runs (id, account_id, target_id, finished_at, state)
      values (${runId}::uuid, ${sent.accountId}::uuid, ${subscription.id}::uuid, now(), 'succeeded')`;
    await passDays(1);
    expect(await fail()).toEqual([]);
    expect(await readKinds()).toEqual(["subscription_failing"]);
  });
});

describe("a 410", () => {
  const readStatus = async ({ id }: { readonly id: string }) =>
    (await queue.db.subscription.findUniqueOrThrow({ where: { id } })).status;
  const send = async (subscription: Awaited<ReturnType<typeof addSubscription>>) => {
    await addEvent([subscription]);
    notifyRunsDue(queue.db);
  };

  it("of a receiver URL that was replaced meanwhile doesn't disable the subscription", async () => {
    let respond = () => {};
    await using old = await startReceiver((response) => {
      respond = () => response.writeHead(410).end();
    });
    await using gone = await startReceiver((response) => response.writeHead(410).end());
    await using _worker = startTestWorker({ url: queue.url });
    const accountId = await queue.addAccount();
    const moved = await addSubscription(accountId, { receiverUrl: old.url });
    const other = await addSubscription(accountId, { receiverUrl: gone.url });
    await send(moved);
    await expect.poll(() => old.calls.length, patience).toBe(1);
    await queue.db.subscription.update({
      where: { id: moved.id },
      data: { receiverUrl: "https://new.example/in" },
    });
    respond();
    const readFailed = () => queue.db.run.count({ where: { targetId: moved.id } });
    await expect.poll(readFailed, patience).toBe(1);
    // Outcomes are written one after the other.
    await send(other);
    await expect.poll(() => readStatus(other), patience).toBe("disabled");
    expect(await readStatus(moved)).toBe("active");
  });

  it("disables a subscription again that was enabled a moment ago", async () => {
    await using gone = await startReceiver((response) => response.writeHead(410).end());
    await using _worker = startTestWorker({ url: queue.url });
    const subscription = await addSubscription(await queue.addAccount(), { receiverUrl: gone.url });
    for (const _ of [1, 2]) {
      await send(subscription);
      await expect.poll(() => readStatus(subscription), patience).toBe("disabled");
      const data = { status: "active" };
      await queue.db.subscription.update({ where: { id: subscription.id }, data });
    }
    expect(gone.calls).toHaveLength(2);
  });
});
