import { afterAll, expect, it } from "vitest";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { Reaper } from "./reaper.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

it("a worker without its lock gets one round to register anew before its runs are taken from it", async () => {
  await queue.db.$executeRaw`insert into workers (id, name) values (77, 'lost')`;
  const [id] = await queue.addRuns(await queue.addLane(), 1);
  await queue.claim({ workerId: 77 });
  const reaper = new Reaper(queue.db, 100);
  expect(await reaper.round()).toEqual([]);
  reaper.startOver();
  expect(await reaper.round()).toEqual([]);
  expect(await reaper.round()).toMatchObject([{ id, isParked: false }]);
});
