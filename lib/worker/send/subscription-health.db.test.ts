import { describe, expect, it } from "vitest";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { listNotices } from "#lib/db/subscriptions/notices.ts";
import {
  recordSendOutcomes,
  type SendOutcome,
} from "#lib/db/subscriptions/record-send-outcomes.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { patience, withWorkerQueue } from "../testing/with-worker-queue.ts";
import { SubscriptionHealth } from "./subscription-health.ts";

const { queue } = await withWorkerQueue();
const { addSubscription, addEvent } = sendFixture(queue.db, testSealer);

describe("five days of nothing but failures", () => {
  const setUp = async () => {
    const accountId = await queue.addAccount();
    const subscription = await addSubscription(accountId);
    const sent = { subscriptionId: subscription.id, accountId };
    const record = async (outcome: SendOutcome["outcome"], db: SqlDatabase = queue.db) => {
      const [row] = await queue.db.$queryRaw<{ version: string }[]>`
        select xmin::text as version from subscriptions where id = ${subscription.id}::uuid`;
      return await recordSendOutcomes(db, [{ ...sent, version: row?.version ?? "", outcome }]);
    };
    const fail = (db?: SqlDatabase) => record("failed", db);
    const passDays = (days: number) => queue.db.$executeRaw`
      update subscription_health set failing_since = failing_since - make_interval(days => ${days}::int)`;
    const readKinds = async () => {
      const notices = await queue.db.notice.findMany({
        where: { accountId },
        orderBy: { id: "asc" },
      });
      return notices.map(({ kind }) => kind);
    };
    const readShown = async () =>
      (await listNotices(queue.db, accountId, 10)).map(({ kind }) => kind);
    return { subscription, sent, record, fail, passDays, readKinds, readShown };
  };

  it("give a notice after four days, and disable it after five", async () => {
    const { subscription, fail, passDays, readKinds, readShown } = await setUp();
    expect(await fail()).toEqual([]);
    await passDays(3);
    expect([await fail(), await readKinds()]).toEqual([[], []]);
    await passDays(1);
    await fail();
    expect([await fail(), await readKinds()]).toEqual([[], ["subscription_failing"]]);
    expect(await readShown()).toEqual(["subscription_failing"]);
    await passDays(1);
    expect(await fail()).toEqual([{ subscriptionId: subscription.id, code: "failing" }]);
    expect(await readShown()).toEqual(["subscription_disabled"]);
    expect(await readKinds()).toEqual(["subscription_failing", "subscription_disabled"]);
    const { status } = await queue.db.subscription.findUniqueOrThrow({
      where: { id: subscription.id },
    });
    expect(status).toBe("disabled");
  });

  it("start over with one success, even one that only the history has", async () => {
    const { subscription, sent, record, fail, passDays, readKinds, readShown } = await setUp();
    await fail();
    await passDays(4);
    await record("succeeded");
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
    expect(await readShown()).toEqual(["subscription_failing"]);
    expect(await fail()).toEqual([]);
    expect([await readKinds(), await readShown()]).toEqual([["subscription_failing"], []]);
  });

  it("give a notice until a call succeeds", async () => {
    const { record, fail, passDays, readShown } = await setUp();
    await fail();
    await passDays(4);
    await fail();
    expect(await readShown()).toEqual(["subscription_failing"]);
    await record("succeeded");
    expect(await readShown()).toEqual([]);
  });

  it("don't disable a subscription whose receiver URL is replaced at that moment", async () => {
    const { subscription, fail, passDays } = await setUp();
    await fail();
    await passDays(5);
    let statements = 0;
    const moveBeforeThird = async () => {
      statements += 1;
      if (statements !== 3) return;
      await queue.db.$transaction([
        queue.db.subscription.update({
          where: { id: subscription.id },
          data: { receiverUrl: "https://new.example/in" },
        }),
        queue.db.subscriptionHealth.deleteMany({ where: { subscriptionId: subscription.id } }),
      ]);
    };
    const db = new Proxy<SqlDatabase>(queue.db, {
      get: (target, name) =>
        name === "$queryRaw"
          ? async (...query: Parameters<SqlDatabase["$queryRaw"]>) => {
              await moveBeforeThird();
              return await target.$queryRaw(...query);
            }
          : Reflect.get(target, name),
    });
    expect(await fail(db)).toEqual([]);
    expect(statements).toBe(3);
    const { status } = await queue.db.subscription.findUniqueOrThrow({
      where: { id: subscription.id },
    });
    expect(status).toBe("active");
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

  it("counts also if another call ended before it was written", async () => {
    const subscription = await addSubscription(await queue.addAccount());
    const { id: targetId, accountId } = subscription;
    const [row] = await queue.db.$queryRaw<{ version: string }[]>`
      select xmin::text as version from subscriptions where id = ${targetId}::uuid`;
    const health = new SubscriptionHealth(queue.db);
    const run = { targetId, accountId, targetVersion: row?.version ?? "" };
    const end = (code: string, status: number, nowMs: number) => {
      const response = { status, headers: [], body: new Uint8Array(), truncated: false };
      const next = { state: "failed", reason: { code, detail: "" } } as const;
      health.record(run, next, { ok: true, response, durationMs: 1 }, nowMs);
    };
    // The first one is being written when the others end.
    end("not_retried", 500, 0);
    end("gone", 410, 1);
    end("not_retried", 500, 120_000);
    await expect.poll(() => readStatus(subscription), patience).toBe("disabled");
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
