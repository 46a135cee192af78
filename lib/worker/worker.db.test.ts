import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it, onTestFinished } from "vitest";
import { Prisma } from "#lib/db/generated/client.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { startReceiver } from "./testing/receiver.ts";
import { startTestWorker } from "./testing/start-worker.ts";
import { patience, payload, request, withWorkerQueue } from "./testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();

/** Makes reading the bodies of these deliveries fail in the database, as a bad disk does. */
async function breakDeliveries(db: SqlDatabase, ids: readonly string[]): Promise<void> {
  const columns = await db.$queryRaw<{ name: string }[]>`
    select attname::text as name from pg_attribute
    where attrelid = 'deliveries'::regclass and attnum > 0 and not attisdropped order by attnum`;
  const read = columns.map(({ name }) => (name === "body" ? "read_body(id, body) as body" : name));
  const run = (sql: string) => db.$executeRaw(Prisma.raw(sql));
  await run(`create function read_body(id uuid, body bytea) returns bytea language plpgsql as $$
    begin
      if id in (${ids.map((id) => `'${id}'`).join(", ")}) then raise exception 'could not read block' using errcode = 'XX001'; end if;
      return body;
    end $$`);
  await run("alter table deliveries rename to readable_deliveries");
  await run(`create view deliveries as select ${read.join(", ")} from readable_deliveries`);
}

async function repairDeliveries(db: SqlDatabase): Promise<void> {
  await db.$executeRaw`drop view deliveries`;
  await db.$executeRaw`drop function read_body`;
  await db.$executeRaw`alter table readable_deliveries rename to deliveries`;
}

describe("the worker", () => {
  it("starts another account's run at once while a thousand wait for a receiver that never responds", async () => {
    await using hung = await startReceiver(() => {});
    await using good = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const stuck = await queue.addActionQueue({ request: request(hung.url), timeoutMs: 60_000 });
    await queue.addRuns(stuck, 1_000, { body: payload });
    await expect.poll(() => hung.calls.length, patience).toBeGreaterThan(100);
    const actionQueue = await queue.addActionQueue({ request: request(good.url) });
    const startedAt = performance.now();
    const [id = ""] = await queue.addRuns(actionQueue, 1, { body: payload });
    notifyRunsDue(queue.db);
    await expect.poll(() => good.calls.length, patience).toBe(1);
    // Behind the hanging calls it would wait for their timeout of a minute.
    expect((good.calls[0]?.at ?? 0) - startedAt).toBeLessThan(30_000);
    expect((await untilFinished(id)).state).toBe("succeeded");
  });

  it("starts an account's healthy action at once while two of its others never get a response", {
    tags: "variant",
  }, async () => {
    await using hung = await startReceiver(() => {});
    await using good = await startReceiver();
    await using _worker = startTestWorker({
      url: queue.url,
      limits: { actionCap: 20, accountCap: 40 },
    });
    const accountId = await queue.addAccount();
    for (const _action of ["first", "second"]) {
      const actionQueue = await queue.addActionQueue({
        accountId,
        request: request(hung.url),
        timeoutMs: 60_000,
      });
      await queue.addRuns(actionQueue, 50, { body: payload });
    }
    notifyRunsDue(queue.db);
    // These are all calls that the action may have. None of them ends before the timeout of a
    // minute.
    await expect.poll(() => hung.calls.length, patience).toBeGreaterThan(30);
    const healthy = await queue.addActionQueue({ accountId, request: request(good.url) });
    await queue.addRuns(healthy, 60, { body: payload });
    notifyRunsDue(queue.db);
    await expect.poll(() => good.calls.length, patience).toBe(60);
    expect(hung.calls.length).toBeLessThan(40);
  });

  it("stops: claims nothing new, waits for calls in flight, cancels slow ones, and releases them", async () => {
    const responses: (() => void)[] = [];
    await using receiver = await startReceiver((response, call) => {
      if (call.path === "/quick") responses.push(() => response.end());
    });
    const { worker, ...rest } = startTestWorker({ url: queue.url });
    const quick = await queue.addActionQueue({
      request: request(receiver.url.replace("/in", "/quick")),
    });
    const endless = await queue.addActionQueue({
      request: request(receiver.url),
      timeoutMs: 60_000,
    });
    const [quickId = ""] = await queue.addRuns(quick, 1, { body: payload });
    const [endlessId = ""] = await queue.addRuns(endless, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(2);
    const stopped = worker.stop({ graceMs: 500 });
    for (const response of responses) response();
    const [lateId = ""] = await queue.addRuns(quick, 1, { body: payload });
    notifyRunsDue(queue.db);
    await stopped;
    expect((await queue.readRun(quickId)).state).toBe("succeeded");
    expect(await queue.readRun(endlessId)).toMatchObject({
      state: "retrying",
      lease_id: null,
      is_finished: false,
    });
    expect((await queue.readRun(endlessId)).due_in_ms).toBeLessThanOrEqual(0);
    expect(await queue.readAttempts(endlessId)).toMatchObject([{ error_code: "outcome_unknown" }]);
    expect(await queue.readRun(lateId)).toMatchObject({ state: "queued", lease_id: null });
    expect(await queue.db.worker.count()).toBe(0);
    await rest[Symbol.asyncDispose]();
  });

  it("maps large bodies in a thread, with the same result", async () => {
    await using receiver = await startReceiver();
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url, {
        body: { size: "{{ payload.items | size }}", n: "{{ payload.n }}" },
      }),
    });
    const items = "1,".repeat(60_000);
    await queue.addRuns(actionQueue, 1, {
      body: `{"n":12345678901234567890.10,"items":[${items}1]}`,
    });
    await using _worker = startTestWorker({ url: queue.url });
    await expect
      .poll(() => receiver.calls[0]?.body, patience)
      .toBe('{"size":60001,"n":12345678901234567890.10}');
  });

  it("gives everything else a turn between bodies that are slow to parse", async () => {
    await using receiver = await startReceiver();
    const actionQueue = await queue.addActionQueue({
      request: request(receiver.url, { body: { a: 1 } }),
    });
    for (let index = 0; index < 6; index += 1) {
      await queue.addRuns(actionQueue, 1, { body: JSON.stringify("x".repeat(20_000)) });
    }
    let turn = 0;
    const turnsWithCall = new Set<number>();
    const onCall = () => turnsWithCall.add(turn);
    subscribe("undici:request:create", onCall);
    const count = () => {
      turn += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    await using _worker = startTestWorker({ url: queue.url });
    await expect.poll(() => receiver.calls.length, patience).toBe(6);
    clearImmediate(turning);
    unsubscribe("undici:request:create", onCall);
    expect(turnsWithCall.size).toBe(6);
  });

  it("makes the other calls if one delivery of a batch can't be loaded, and retries that one later", async () => {
    await using receiver = await startReceiver();
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url) });
    const addRun = async () => (await queue.addRuns(actionQueue, 1, { body: payload }))[0] ?? "";
    const [first, unreadable, tried, last] = [
      await addRun(),
      await addRun(),
      await addRun(),
      await addRun(),
    ];
    await queue.db
      .$executeRaw`update queue set attempt_count = 9, reason_code = 'retry' where id = ${tried}::uuid`;
    const bad = await queue.db.$queryRaw<{ id: string }[]>`
      select delivery_id::text as id from queue where id = any (${[unreadable, tried]}::uuid[])`;
    await breakDeliveries(
      queue.db,
      bad.map(({ id }) => id),
    );
    onTestFinished(() => repairDeliveries(queue.db));
    await using _worker = startTestWorker({ url: queue.url });
    expect((await untilFinished(first)).state).toBe("succeeded");
    expect((await untilFinished(last)).state).toBe("succeeded");
    await expect
      .poll(() => queue.readAttempts(unreadable), patience)
      .toMatchObject([{ error_code: "internal" }]);
    const run = await queue.readRun(unreadable);
    expect(run).toMatchObject({ state: "retrying", attempt_count: 1, lease_id: null });
    expect(run.due_in_ms).toBeGreaterThan(1_000);
    expect(await untilFinished(tried)).toMatchObject({ state: "failed", attempt_count: 10 });
  });

  it("finds due runs without a notification", async () => {
    await using receiver = await startReceiver();
    await using test = startTestWorker({ url: queue.url });
    await expect.poll(() => test.worker.isReady, patience).toBe(true);
    const actionQueue = await queue.addActionQueue({ request: request(receiver.url) });
    await queue.addRuns(actionQueue, 1, { body: payload });
    await expect.poll(() => receiver.calls.length, patience).toBe(1);
  });
});
