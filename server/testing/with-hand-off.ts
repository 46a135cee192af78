import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/base/ids.ts";
import type { TestHook } from "#lib/db/testing/test-hook.ts";
import { workerSignals } from "#lib/worker/outcome/worker-signals.ts";
import { startTestWorker, type TestWorkerOptions } from "#lib/worker/testing/start-worker.ts";
import { sendJson } from "./catch-harness.ts";
import { withCatch } from "./with-catch.ts";

export const patience = { interval: 20 };

/** A fresh database with the catch endpoint, which hands runs over to the workers of the file. */
export function withHandOff() {
  const folder = mkdtempSync(join(tmpdir(), "hand-off-"));
  const handOffSocket = join(folder, "hand-off.sock");
  const bench = withCatch({ handOffSocket });
  /** How each run came to the worker, by its delivery. */
  const handedOver = new Map<string, boolean>();
  let events = 0;
  beforeAll(() =>
    workerSignals.callStarted.listen(({ run }) => {
      if (run.kind === "action") handedOver.set(run.deliveryId, run.isHandedOver);
    }),
  );
  afterAll(() => rmSync(folder, { recursive: true }));

  function startWorker(options: Partial<TestWorkerOptions> = {}) {
    const startJournal = join(folder, "hand-off.started");
    return startTestWorker({ url: bench.url, handOffSocket, startJournal, ...options });
  }

  async function addAction(hook: TestHook, url: string, more: object = {}): Promise<string> {
    const id = newId();
    const request = { method: "POST", url, headers: {}, query: {}, body: { id: "{{ id }}" } };
    const { accountId, id: hookId } = hook;
    const own = { id, accountId, hookId, name: "act", request, timeoutMs: 5_000 };
    await bench.db.action.create({ data: { ...own, ...more } });
    return id;
  }

  /** Catches a delivery. Returns its id. */
  async function deliver(hook: TestHook): Promise<string> {
    events += 1;
    const response = await sendJson(bench.caught.port, hook.path, { id: `e${events}` });
    expect(response.json.status).toBe("accepted");
    return response.json.deliveryId ?? "";
  }

  /** True if the run of a new delivery was handed over. Waits for its call. */
  async function wayOf(hook: TestHook): Promise<boolean> {
    const id = await deliver(hook);
    await expect.poll(() => handedOver.has(id), patience).toBe(true);
    return handedOver.get(id) === true;
  }

  const readQueue = (hook: TestHook) =>
    bench.db.queuedRun.findMany({ where: { hookId: hook.id }, orderBy: { id: "asc" } });

  return {
    bench,
    folder,
    handOffSocket,
    startWorker,
    addAction,
    deliver,
    wayOf,
    readQueue,
    /** Settles once the worker gives the hook credit. */
    untilHandedOver: (hook: TestHook) => expect.poll(() => wayOf(hook), patience).toBe(true),
    untilDone: (hook: TestHook) =>
      expect.poll(async () => (await readQueue(hook)).length, patience).toBe(0),
  };
}
