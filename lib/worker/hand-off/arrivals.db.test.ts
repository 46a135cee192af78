import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { storeBatch } from "#lib/db/deliveries/store-deliveries.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { newDelivery } from "#lib/db/testing/new-delivery.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { type Control, readControl } from "#lib/hand-off/control.ts";
import { FrameReader } from "#lib/hand-off/frames.ts";
import { toRunsFrame } from "#lib/hand-off/runs-frame.ts";
import { ActionLimits } from "../claim/action-limits.ts";
import { InFlightRuns } from "../claim/in-flight-runs.ts";
import { defaultLimits } from "../worker-limits.ts";
import { Arrivals } from "./arrivals.ts";

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

type Started = { readonly path: string; readonly arrivals: Arrivals; readonly got: string[] };

function start({ leaseMs, db }: { leaseMs: number; db: SqlStatements }): Started {
  const folder = mkdtempSync(join(tmpdir(), "arrivals-"));
  const path = join(folder, "hand-off.sock");
  const got: string[] = [];
  const arrivals = new Arrivals({
    db,
    path,
    limits: { ...defaultLimits, leaseMs },
    inFlight: new InFlightRuns(defaultLimits),
    actionLimits: new ActionLimits(defaultLimits.actionCap),
    onRuns: (runs) => void got.push(...runs.map(({ id }) => id)),
    onFreed: () => {},
  });
  onTestFinished(async () => {
    await arrivals.close();
    rmSync(folder, { recursive: true });
  });
  arrivals.setWorker(1);
  return { path, arrivals, got };
}

test("runs that are committed late are freed, however many connections ended with theirs", async () => {
  let looks = 0;
  const db: SqlStatements = {
    $queryRaw: (...statement) => bench.db.$queryRaw(...statement),
    async $executeRaw(...statement) {
      const freed = await bench.db.$executeRaw(...statement);
      looks += 1;
      return freed;
    },
  };
  const { path, arrivals } = start({ leaseMs: defaultLimits.leaseMs, db });
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
  const { path, got } = start({ leaseMs: 4_000, db: bench.db });
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const hand = async () => {
    const { socket, hello } = await dial(path);
    const lease = { ...hello, targetIds: [action], isLeased: () => true };
    const { leased } = await storeBatch(bench.db, [newDelivery(hook)], { maxSends: null, lease });
    socket.write(toRunsFrame(hello.leaseId, leased));
    return leased.map(({ id }) => id);
  };
  const ids = await hand();
  await expect.poll(() => got).toEqual(ids);
  const late = await hand();
  // As with a process that is stopped, or a machine without memory.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  const readLease = () => bench.db.queuedRun.findFirst({ where: { id: late[0] ?? "" } });
  await expect.poll(async () => (await readLease())?.leaseId).toBe(null);
  expect(got).toEqual(ids);
});
