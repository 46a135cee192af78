import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { storeBatch } from "#lib/db/deliveries/store-deliveries.ts";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addAction, addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { type Control, readControl } from "#lib/hand-off/control.ts";
import { FrameReader } from "#lib/hand-off/frames.ts";
import { toRunsFrame } from "#lib/hand-off/runs-frame.ts";
import { ActionLimits } from "../claim/action-limits.ts";
import { InFlightRuns } from "../claim/in-flight-runs.ts";
import { bootId } from "../rescue/worker-name.ts";
import { defaultLimits } from "../worker-limits.ts";
import { Arrivals } from "./arrivals.ts";
import { StartJournal } from "./start-journal.ts";

const bench = withDatabase();

type Hello = Extract<Control, { say: "hello" }>;

/** A connection to the worker, as a catch process has it. */
async function dial(path: string): Promise<{ readonly socket: Socket; readonly hello: Hello }> {
  const socket = connect(path).on("error", () => {});
  const reader = new FrameReader();
  for await (const [chunk] of on(socket))
    for (const { bytes } of reader.read(chunk)) {
      const control = readControl(bytes);
      if (control.say === "hello") return { socket, hello: control };
    }
  throw new Error("The connection ended");
}

async function* on(socket: Socket): AsyncGenerator<[Buffer]> {
  while (true) yield (await once(socket, "data")) as [Buffer];
}

type Started = {
  readonly path: string;
  readonly arrivals: Arrivals;
  /** The runs that have started. */
  readonly got: string[];
  /** The result of this run is recorded. */
  readonly end: (id: string | undefined) => void;
  readonly actionLimits: ActionLimits;
};

type Options = {
  readonly leaseMs?: number;
  readonly db?: SqlDatabase;
  readonly actionCap?: number;
  /** The socket of a process that was killed, if this one comes after it. */
  readonly path?: string;
};

function start({ leaseMs, db = bench.db, actionCap = 200, path = makePath() }: Options): Started {
  const got: string[] = [];
  const limits = { ...defaultLimits, ...(leaseMs !== undefined && { leaseMs }), actionCap };
  const inFlight = new InFlightRuns(limits);
  const actionLimits = new ActionLimits(actionCap);
  const arrivals = new Arrivals({
    ...{ db, path, limits, inFlight, actionLimits, startJournal: `${path}.started` },
    onRuns: (runs) => {
      for (const run of runs) inFlight.add(run, performance.now());
      got.push(...runs.map(({ id }) => id));
    },
    onFreed: () => {},
  });
  onTestFinished(() => arrivals.close());
  arrivals.setWorker(1);
  const end = (id: string | undefined) => {
    const ended = inFlight.list().find((run) => run.id === id);
    if (ended !== undefined) arrivals.changed([inFlight.remove(ended) ?? ended]);
  };
  return { path, arrivals, got, end, actionLimits };
}

function makePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "arrivals-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "hand-off.sock");
}

/** Stores runs for the worker and hands them over, as a catch process does. */
async function handOver(path: string, actionId: string, hook: TestHook, count: number) {
  const { socket, hello } = await dial(path);
  onTestFinished(() => void socket.destroy());
  const lease = { ...hello, targetIds: [actionId], isLeased: () => true };
  const deliveries = Array.from({ length: count }, () => newDelivery(hook));
  const { leased } = await storeBatch(bench.db, deliveries, { maxSends: null, lease });
  socket.write(toRunsFrame(hello.leaseId, leased));
  return { socket, ids: leased.map(({ id }) => id), lease: hello.leaseId };
}

const readLeases = async (ids: readonly string[]) => {
  const runs = await bench.db.queuedRun.findMany({ where: { id: { in: [...ids] } } });
  const byId = new Map(runs.map((run) => [run.id, run]));
  return ids.map((id) => ({ isLeased: byId.get(id)?.leaseId !== null, ...byId.get(id) }));
};

test("runs that are committed late are freed, however many connections ended with theirs", async () => {
  let looks = 0;
  const db: SqlDatabase = {
    ...bench.db,
    $queryRaw: (...statement) => bench.db.$queryRaw(...statement),
    $transaction: (run) => bench.db.$transaction(run),
    async $executeRaw(...statement) {
      const freed = await bench.db.$executeRaw(...statement);
      looks += 1;
      return freed;
    },
  };
  const { path, arrivals } = start({ db });
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const links = await Promise.all(Array.from({ length: 8 }, () => dial(path)));
  for (const { socket } of links) socket.destroy();
  await expect.poll(() => looks).toBe(links.length);
  // The statements of catch processes that died are still running.
  for (const { hello } of links) {
    const lease = { ...hello, targetIds: [action], isLeased: () => true };
    await storeBatch(bench.db, [newDelivery(hook)], { maxSends: null, lease });
  }
  await arrivals.freeLost();
  const runs = await bench.db.queuedRun.findMany({ where: { hookId: hook.id } });
  expect(runs.map(({ leaseId }) => leaseId)).toEqual(links.map(() => null));
});

test("a worker that hung starts nothing that arrived meanwhile, whose lease may be over", {
  tags: "variant",
}, async () => {
  const { path, got } = start({ leaseMs: 4_000 });
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const { ids } = await handOver(path, action, hook, 1);
  await expect.poll(() => got).toEqual(ids);
  const late = await handOver(path, action, hook, 1);
  // As with a process that is stopped, or a machine without memory.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  await expect.poll(() => readLeases(late.ids)).toMatchObject([{ isLeased: false }]);
  expect(got).toEqual(ids);
});

test("after a kill, runs that waited are due without an attempt, and only those that started may have been called", async () => {
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const killed = start({ actionCap: 2 });
  const { ids, lease } = await handOver(killed.path, action, hook, 6);
  await expect.poll(() => killed.got).toEqual(ids.slice(0, 2));
  const next = start({ path: killed.path });
  await next.arrivals.freeLost();
  const after = await readLeases(ids);
  expect(after.map(({ isLeased }) => isLeased)).toEqual([true, true, false, false, false, false]);
  expect(after.map(({ attemptCount }) => attemptCount)).toEqual(ids.map(() => 0));
  // A statement of a catch process that was killed with it commits late.
  await bench.db.queuedRun.updateMany({ where: { id: ids[5] ?? "" }, data: { leaseId: lease } });
  await next.arrivals.freeLost();
  expect((await readLeases(ids)).map(({ isLeased }) => isLeased)).toEqual(
    after.map(({ isLeased }) => isLeased),
  );
  // It was killed too, right after that.
  await start({ path: killed.path }).arrivals.freeLost();
  expect((await readLeases(ids)).map(({ isLeased }) => isLeased)).toEqual(
    after.map(({ isLeased }) => isLeased),
  );
});

test("a worker that has stopped leaves nothing that the next one would look for", async () => {
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const { path, arrivals, got } = start({ actionCap: 2 });
  const { ids, socket } = await handOver(path, action, hook, 3);
  await expect.poll(() => got).toEqual(ids.slice(0, 2));
  socket.destroy();
  await arrivals.close();
  // Its runs that had a slot end in their grace period. The other one was given to be released.
  expect(got).toEqual(ids);
  expect(new StartJournal(`${path}.started`, bootId).before.leaseIds).toEqual([]);
});

test("what waits starts in its order as others end, also those that arrive meanwhile", async () => {
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const { path, arrivals, got, end } = start({ actionCap: 2 });
  const first = await handOver(path, action, hook, 3);
  const second = await handOver(path, action, hook, 2);
  await expect.poll(() => got).toEqual(first.ids.slice(0, 2));
  end(first.ids[1]);
  expect(got).toEqual(first.ids);
  for (const id of [...first.ids, ...second.ids]) end(id);
  await expect.poll(() => got).toEqual([...first.ids, ...second.ids]);
  expect(arrivals.leaseIds).toHaveLength(2);
});

test("runs that wait go back to the queue when their receiver fails, and when another worker starts", async () => {
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const { path, arrivals, got, actionLimits } = start({ actionCap: 1 });
  const { ids } = await handOver(path, action, hook, 3);
  await expect.poll(() => got).toEqual(ids.slice(0, 1));
  const error = { code: "connect", message: "refused" } as const;
  actionLimits.learn(action, { ok: false, error, response: null, durationMs: 1 }, "halve");
  const isLeased = async (some: readonly string[]) =>
    (await readLeases(some)).map((run) => run.isLeased);
  await expect.poll(() => isLeased(ids)).toEqual([true, false, false]);
  const other = await addHook(bench.db);
  const quick = await addAction(bench.db, other);
  const more = await handOver(path, quick, other, 3);
  await expect.poll(() => got).toEqual([...ids.slice(0, 1), ...more.ids.slice(0, 1)]);
  arrivals.setWorkers(2);
  await expect.poll(() => isLeased(more.ids)).toEqual([true, false, false]);
});

test("runs that arrive after their hook has changed don't wait", async () => {
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const { path, arrivals, got } = start({ actionCap: 1 });
  arrivals.onHookChanged(hook.id);
  const { ids } = await handOver(path, action, hook, 2);
  await expect
    .poll(async () => (await readLeases(ids)).map((run) => run.isLeased))
    .toEqual([true, false]);
  expect(got).toEqual(ids.slice(0, 1));
});

test("runs that wait go back to the queue when their hook changes, and when the worker loses its session", async () => {
  const [hook, other] = [await addHook(bench.db), await addHook(bench.db)];
  const action = await addAction(bench.db, hook);
  const { path, arrivals, got } = start({ actionCap: 1 });
  const { ids } = await handOver(path, action, hook, 3);
  await expect.poll(() => got).toEqual(ids.slice(0, 1));
  arrivals.onHookChanged(other.id);
  arrivals.onHookChanged(hook.id);
  const isLeased = async () => (await readLeases(ids)).map((run) => run.isLeased);
  await expect.poll(isLeased).toEqual([true, false, false]);
  const third = await addHook(bench.db);
  const more = await handOver(path, await addAction(bench.db, third), third, 3);
  await expect.poll(() => got).toEqual([...ids.slice(0, 1), ...more.ids.slice(0, 1)]);
  arrivals.setWorker(undefined);
  await arrivals.freeLost();
  await expect
    .poll(async () => (await readLeases(more.ids)).map((run) => run.isLeased))
    .toEqual([true, false, false]);
  expect(got).toHaveLength(2);
});
