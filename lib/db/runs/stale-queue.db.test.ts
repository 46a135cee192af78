import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { countHookContents } from "#lib/db/hooks/hook-contents.ts";
import { cancelBatchOfDeleted, purgeDeletedHooks } from "#lib/db/hooks/purge-hooks.ts";
import { countRuns } from "#lib/db/overview/overview.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { customPlans } from "#lib/db/postgres/plan-settings.ts";
import { createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { countReads } from "#lib/db/testing/count-reads.ts";
import { type RunStatus, runStates } from "#lib/schema/act/run-states.ts";
import { deleteDelivery } from "#lib/services/deliveries/change-deliveries.ts";
import { cancelRun, retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { listRuns } from "./list-runs.ts";
import { countOpenRuns, findLastFailures, findLastOutcomes } from "./open-runs.ts";
import { readRunRows } from "./run-rows.ts";
import { getRun } from "./runs.ts";

/** The size of a burst that fills the queue while PostgreSQL assumes that it is nearly empty. */
const rows = 100_000;
const queue = await createQueueFixture();
let db: Database;
let admin: Client;
const big = await queue.addActionQueue();
const small = await queue.addActionQueue();
let own: string[];

beforeAll(async () => {
  // One connection: its counters are flushed by the statement that reads them.
  db = createDatabase({
    url: queue.url,
    settings: customPlans,
    poolSize: 1,
    applicationName: "stale queue",
  });
  const url = new URL(inject("testAdminUrl"));
  url.pathname = new URL(queue.url).pathname;
  admin = new Client({ connectionString: url.toString() });
  await admin.connect();
  own = await queue.addRuns(small, 30);
  await db.$executeRaw`
    insert into queue (id, account_id, target_id, hook_id, delivery_id, due_at, reason_code)
    select run_id(delivery_id, 0), ${big.accountId}::uuid, ${big.targetId}::uuid, ${big.hookId}::uuid, delivery_id, now(),
      case when n = 90000 then 'outcome_unknown' when n % 1000 = 0 then 'timeout' end
    from (select n, uuid_v7_at(now() - n * interval '10 ms') as delivery_id from generate_series(1, ${rows}::int) n) made`;
});
afterAll(async () => {
  await admin.end();
  await db.$disconnect();
  await queue[Symbol.asyncDispose]();
});

it.each([
  ["that were never counted", -1, 0],
  ["that were counted while it was empty", 0, 0],
  ["that were counted while it had a page without rows", 0, 1],
  ["that were counted while it had a few rows", 5, 1],
  ["that were counted now", rows, 3_000],
])(
  "pages never read the whole of a queue with statistics %s",
  { tags: "variant" },
  async (_name, tuples, pages) => {
    const stale = "update pg_class set reltuples = $1, relpages = $2 where relname like 'queue%'";
    await admin.query(stale, [tuples, pages]);
    const list = (accountId: string, filter = {}) => listRuns(db, accountId, filter, { limit: 50 });
    const [id = "", cancelled = "", waiting = ""] = [own.at(-1), own.pop(), own.at(0)];
    const { deliveryId } = await getRun(db, small.accountId, waiting);
    const since = Date.now() - 3_600_000;
    const [other = ""] = await queue.addRuns(small, 1);
    const { deliveryId: deletable } = await getRun(db, small.accountId, other);
    const gone = await queue.addActionQueue();
    await queue.addRuns(gone, 3);
    await db.hook.update({ where: { id: gone.hookId }, data: { deletedAt: new Date() } });
    const owner = testContext(db, small.accountId);
    const works: Record<string, () => Promise<unknown>> = {
      "a run": () => getRun(db, small.accountId, id),
      "rows of a list": () => readRunRows(db, small.accountId, own),
      "runs of a delivery": () => list(small.accountId, { deliveryId: deliveryId ?? "" }),
      "counts of deliveries": () => countRuns(db, small.accountId, [deliveryId ?? ""]),
      "last outcomes": () => findLastOutcomes(db, big.accountId, [big.targetId], since),
      "last failures": () => findLastFailures(db, big.accountId, [big.targetId]),
      "contents of a hook": () => countHookContents(db, small.accountId, small.hookId),
      cancel: () => cancelRun(owner, { id: cancelled }),
      retry: () => retryRun(owner, { id: cancelled }),
      "delete a delivery": () => deleteDelivery(owner, { id: deletable ?? "" }),
      "cancel what was deleted": () => cancelBatchOfDeleted(db, {}),
      purge: () => purgeDeletedHooks(db),
      "counts of open runs": () => countOpenRuns(db, small.accountId),
    };
    for (const { accountId, targetId: actionId, hookId } of [big, small])
      for (const status of [undefined, ...(Object.keys(runStates) as RunStatus[])])
        for (const filter of [{}, { actionId }, { hookId }])
          works[
            `list of ${accountId === big.accountId ? "big" : "small"} ${status} ${Object.keys(filter)}`
          ] = () => list(accountId, status === undefined ? filter : { ...filter, status });
    const reads: Record<string, number> = {};
    for (const [name, work] of Object.entries(works))
      reads[name] = await countReads(db, /^(queue|runs)/, work);
    expect((await list(big.accountId, { status: "held" })).items).toHaveLength(1);
    const tooMany = Object.entries(reads).filter(([, count]) => count > 5_000);
    expect(tooMany).toEqual([]);
  },
);
