import { describe, expect, it } from "vitest";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { recordSendOutcomes } from "#lib/db/subscriptions/record-send-outcomes.ts";
import { testSealer } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue } = await withWorkerQueue();
const { addSubscription, addEvent } = sendFixture(queue.db, testSealer);

describe("five days of nothing but failures", () => {
  const setUp = async () => {
    const accountId = await queue.addAccount();
    const subscription = await addSubscription(accountId);
    const sent = { subscriptionId: subscription.id, accountId };
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
