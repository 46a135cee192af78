import { afterAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { takeTurn } from "../run-jobs.ts";
import { sweepJobs, upkeepJobs } from "./sweep.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());

it("expired rows are removed, even while no partitions can be created", async () => {
  const { db } = queue;
  await db.$executeRaw`drop function ensure_weekly_partitions(text, timestamptz, timestamptz)`;
  await db.$executeRaw`
    insert into idempotency_keys (account_id, key, request_hash, created_at) values (${newId()}::uuid, 'k', '', now() - interval '3 days')`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, state, finished_at)
    values (uuid_v7_at(now() - interval '400 days'), ${newId()}::uuid, ${newId()}::uuid, 'succeeded', now())`;
  const options = {
    retentionDays: 90,
    rejectedRetentionDays: 14,
    databaseUrl: queue.url,
    sealer: testSealer,
  };
  const jobs = [...upkeepJobs(db), ...sweepJobs(db, options)];
  await takeTurn({ jobs }, 0, new AbortController().signal);
  expect([await db.idempotencyKey.count(), await db.run.count()]).toEqual([0, 0]);
});
