import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { patience } from "../testing/with-worker-queue.ts";
import { call, once, withSteps } from "./testing/with-steps.ts";

const { queue, run, untilFinished } = await withSteps();

/** Adds a run of two calls to a destination with these limits. */
async function runTwoCalls(receiver: Receiver, limits: object) {
  const destinationId = newId();
  const made = await run([
    call("one", receiver, { retry: once }, { destinationId }),
    call("two", receiver, { retry: once }, { destinationId }),
  ]);
  const { accountId } = made;
  const origin = `http://127.0.0.1:${receiver.port}`;
  const data = { id: destinationId, accountId, name: "CRM", origin, ...limits };
  await queue.db.destination.create({ data });
  await queue.db.action.updateMany({
    where: { accountId },
    data: { destinationIds: [destinationId] },
  });
  return { ...made, destinationId };
}

const readReason = async (id: string) => (await queue.readRun(id)).reason;

it("a step waits in the database for its slot in the rate of its destination", {
  tags: "variant",
}, async () => {
  await using receiver = await startReceiver();
  const { id } = await runTwoCalls(receiver, { rateCount: 1, rateSeconds: 2 });
  await using _worker = startTestWorker({ url: queue.url });
  await expect.poll(() => readReason(id), patience).toMatch(/^rate_limited: Step two: /);
  expect(receiver.calls).toHaveLength(1);
  expect(await queue.readRun(id)).toMatchObject({ lease_id: null });
  expect(await untilFinished(id)).toMatchObject({ state: "succeeded", attempt_count: 2 });
});

it("a step is held while its destination is down, keeps its attempts, and its failures count", async () => {
  await using receiver = await startReceiver((response) => response.writeHead(503).end());
  const breaker = { breakerFailures: 1, breakerWindowSeconds: 60, breakerOpenSeconds: 60 };
  const first = await runTwoCalls(receiver, breaker);
  await using _worker = startTestWorker({ url: queue.url });
  expect(await untilFinished(first.id)).toMatchObject({ state: "failed", attempt_count: 1 });
  const down = await queue.db.targetBreaker.findUnique({
    where: { targetId: first.destinationId },
  });
  expect(down?.downSince).not.toBeNull();
  const held = await runTwoCalls(receiver, breaker);
  const where = { targetId: first.destinationId };
  await queue.db.targetBreaker.update({ where, data: { targetId: held.destinationId } });
  await expect.poll(() => readReason(held.id), patience).toMatch(/^receiver_down: Step one: /);
  expect(await queue.readRun(held.id)).toMatchObject({ attempt_count: 0 });
  expect(receiver.calls).toHaveLength(1);
});

it("the outcome of a call is kept although it can't be counted for the breaker at that moment", async () => {
  await using receiver = await startReceiver();
  const breaker = { breakerFailures: 1, breakerWindowSeconds: 60, breakerOpenSeconds: 60 };
  const sql = (text: string) => queue.db.$executeRawUnsafe(text);
  await sql(`create function reject() returns trigger language plpgsql as $$ begin
    raise exception 'no' using errcode = '57P03';
  end $$`);
  await sql(
    "create trigger reject before insert on target_breakers for each row execute function reject()",
  );
  const made = await runTwoCalls(receiver, breaker);
  await using _worker = startTestWorker({ url: queue.url });
  expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 2 });
  expect(receiver.calls.map(({ path }) => path)).toEqual(["/one", "/two"]);
  await sql("drop function reject cascade");
});
