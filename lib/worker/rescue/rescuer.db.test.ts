import { spawnSync } from "node:child_process";
import { afterAll, beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { emptyTables } from "#lib/db/testing/empty-tables.ts";
import { Rescuer } from "./rescuer.ts";
import { nameWorker, workerName } from "./worker-name.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
beforeEach(() => emptyTables(queue.db, "queue", "runs", "workers"));

it("a worker without its lock gets one round to register again before its runs are rescued, or five after an outage", async () => {
  await queue.db.$executeRaw`insert into workers (id, name) values (77, 'lost')`;
  const [id] = await queue.addRuns(await queue.addActionQueue(), 1);
  await queue.claim({ workerId: 77 });
  const rescuer = new Rescuer(queue.db, 100);
  expect(await rescuer.round({})).toEqual([]);
  rescuer.startOver();
  for (let round = 1; round <= 5; round += 1) expect(await rescuer.round({})).toEqual([]);
  expect(await rescuer.round({})).toMatchObject([{ id, isQuarantined: false }]);
});

it.runIf(process.platform === "linux")(
  "rescues the runs of a process that has ended in the first round, but not in an outage",
  async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    await queue.db
      .$executeRaw`insert into workers (id, name) values (79, ${nameWorker(pid)}), (80, ${workerName})`;
    const [id] = await queue.addRuns(await queue.addActionQueue(), 1);
    await queue.claim({ workerId: 79 });
    await queue.addRuns(await queue.addActionQueue(), 1);
    await queue.claim({ workerId: 80 });
    const rescuer = new Rescuer(queue.db, 100);
    rescuer.startOver();
    expect(await rescuer.round({})).toEqual([]);
    expect(await new Rescuer(queue.db, 100).round({})).toMatchObject([{ id }]);
  },
);

it("never rescues its own process's runs, however old the lease", async () => {
  const [own, other] = [newId(), newId()];
  for (const leaseId of [own, other]) {
    await queue.addRuns(await queue.addActionQueue(), 1);
    await queue.claim({ workerId: 78, leaseId, leaseMs: -1 });
  }
  const rescuer = new Rescuer(queue.db, 100);
  const taken: string[] = [];
  for (let round = 1; round <= 5; round += 1)
    for (const { id } of await rescuer.round({ ownLeaseIds: [own] }))
      taken.push((await queue.readRun(id)).lease_id ?? "free");
  expect(taken).toEqual(["free"]);
  expect(
    await queue.db.queuedRun.findMany({
      select: { leaseId: true },
      where: { leaseId: { not: null } },
    }),
  ).toEqual([{ leaseId: own }]);
});
