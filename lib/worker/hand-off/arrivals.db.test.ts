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
import { ActionLimits } from "../claim/action-limits.ts";
import { InFlightRuns } from "../claim/in-flight-runs.ts";
import { defaultLimits } from "../worker-limits.ts";
import { Arrivals } from "./arrivals.ts";

const bench = withDatabase();

type Hello = Extract<Control, { say: "hello" }>;

/** A connection to the worker, as a catch process has it. */
async function dial(path: string): Promise<{ readonly socket: Socket; readonly hello: Hello }> {
  const socket = connect(path);
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

test("runs that are committed late are freed, however many connections ended with theirs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "arrivals-"));
  const path = join(folder, "hand-off.sock");
  let looks = 0;
  const db: SqlStatements = {
    $queryRaw: (...statement) => bench.db.$queryRaw(...statement),
    async $executeRaw(...statement) {
      const freed = await bench.db.$executeRaw(...statement);
      looks += 1;
      return freed;
    },
  };
  const arrivals = new Arrivals({
    db,
    path,
    limits: defaultLimits,
    inFlight: new InFlightRuns(defaultLimits),
    actionLimits: new ActionLimits(defaultLimits.actionCap),
    onRuns: () => {},
    onFreed: () => {},
  });
  onTestFinished(async () => {
    await arrivals.close();
    rmSync(folder, { recursive: true });
  });
  arrivals.setWorker(1);
  const hook = await addHook(bench.db);
  const action = await addAction(bench.db, hook);
  const links = await Promise.all(Array.from({ length: 8 }, () => dial(path)));
  for (const { socket } of links) socket.destroy();
  await expect.poll(() => looks, { timeout: 20_000 }).toBe(links.length);
  // The statements of catch processes that died are still running.
  for (const { hello } of links) {
    const lease = { ...hello, targetIds: [action], isLeased: () => true };
    await storeBatch(bench.db, [newDelivery(hook)], { maxSends: null, lease });
  }
  await arrivals.freeLost();
  const runs = await bench.db.queuedRun.findMany({ where: { hookId: hook.id } });
  expect(runs.map(({ leaseId }) => leaseId)).toEqual(links.map(() => null));
});
