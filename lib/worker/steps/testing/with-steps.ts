import { listRunSteps } from "#lib/db/runs/run-steps.ts";
import type { Receiver } from "../../testing/receiver.ts";
import { withWorkerQueue } from "../../testing/with-worker-queue.ts";

const order = {
  id: "order_7",
  email: "a@b.test",
  big: "12345678901234567890123",
  items: [1, 2, 3, 4],
};
const body = JSON.stringify(order).replace('"12345678901234567890123"', "12345678901234567890123");

export const once = { maxAttempts: 1, initialDelayMs: 100, maxDelayMs: 100, on: ["5xx"] };
export const thrice = { ...once, maxAttempts: 3 };

/** A step that calls the receiver at a path equal to its key. */
export function call(key: string, receiver: Receiver, rest: object = {}, request: object = {}) {
  const url = `http://127.0.0.1:${receiver.port}/${key}`;
  return { key, kind: "call", request: { method: "POST", url, ...request }, ...rest };
}

type MadeRun = { readonly id: string; readonly accountId: string };

/** Gives a test file a queue with runs of actions with steps. */
export async function withSteps() {
  const { queue, untilFinished } = await withWorkerQueue();
  return {
    queue,
    untilFinished,
    /** Adds a due run of these steps on an order. */
    async run(steps: readonly object[]): Promise<MadeRun> {
      const actionQueue = await queue.addActionQueue({ steps });
      const [id = ""] = await queue.addRuns(actionQueue, 1, { body });
      return { id, accountId: actionQueue.accountId };
    },
    async states({ id, accountId }: MadeRun): Promise<Record<string, string>> {
      const steps = await listRunSteps(queue.db, accountId, id);
      return Object.fromEntries(
        steps.map(({ key, item, state }) => [item === null ? key : `${key} ${item}`, state]),
      );
    },
  };
}
