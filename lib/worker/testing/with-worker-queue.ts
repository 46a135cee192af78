import { afterAll, beforeEach, expect } from "vitest";
import { createQueueFixture, type StoredRun } from "#lib/db/queue/testing/queue-fixture.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const patience = { interval: 20 };

/** The body of a delivery, with a number that a double can't represent. */
export const payload = JSON.stringify({
  id: "evt_1",
  type: "paid",
  data: {
    object: { customer_email: "a@b.test", amount_total: 4200, big: "12345678901234567890123" },
  },
}).replace('"12345678901234567890123"', "12345678901234567890123");

/** The request of an action. */
export function request(url: string, more: object = {}): object {
  return {
    method: "POST",
    url,
    headers: {},
    query: {},
    body: { amount: "{{ data.object.amount_total }}" },
    ...more,
  };
}

/** Gives a test file a queue that is empty before each test. */
export async function withWorkerQueue() {
  const queue = await createQueueFixture();
  afterAll(() => queue[Symbol.asyncDispose]());
  beforeEach(() =>
    emptyTables(queue.db, "queue", "runs", "attempts", "deliveries", "accounts", "workers"),
  );
  return {
    queue,
    async untilFinished(runId: string): Promise<StoredRun> {
      await expect.poll(async () => (await queue.readRun(runId)).is_finished, patience).toBe(true);
      return queue.readRun(runId);
    },
    async readWorkerIds(): Promise<number[]> {
      const workers = await queue.db.worker.findMany();
      return workers.map((worker) => worker.id);
    },
  };
}

/** A receiver that responds when the test tells it to. */
export async function startSlowReceiver(): Promise<Receiver & { respondToAll(): void }> {
  const waiting: (() => void)[] = [];
  const receiver = await startReceiver((response) => waiting.push(() => response.end()));
  return {
    ...receiver,
    respondToAll() {
      for (const response of waiting) response();
    },
  };
}
