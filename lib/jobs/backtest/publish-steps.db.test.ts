import { afterAll, expect, it } from "vitest";
import { listBacktestResults } from "#lib/db/backtests/backtest-results.ts";
import { backtestAction } from "#lib/services/backtests.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { testSealer } from "#lib/worker/testing/start-worker.ts";
import { withWorkerQueue } from "#lib/worker/testing/with-worker-queue.ts";
import { backtestJob } from "../kinds/backtest.ts";
import { workAll } from "../testing/work.ts";
import { Backtests } from "./backtests.ts";

const { queue } = await withWorkerQueue();
const { db } = queue;
const backtests = new Backtests({ db, sealer: testSealer, allowList: [], version: "0.0.0" });
afterAll(() => backtests.close());

it("a backtest fails where a run's event would be against the schema of its type", async () => {
  const request = { method: "POST", url: "https://receiver.example/", headers: {}, body: null };
  const to = await queue.addActionQueue({ request });
  const { accountId, targetId: id } = to;
  for (const total of [5, "5"]) await queue.addRuns(to, 1, { body: JSON.stringify({ total }) });
  const schema = { properties: { total: { type: "number" } } };
  const type = { accountId, name: "order.paid", schema, onMismatch: "reject" };
  await db.eventType.create({ data: type });
  const data = { total: "{{ payload.total }}" };
  const draft = {
    steps: [{ key: "tell", kind: "publish" as const, type: "order.paid", data }],
  };
  const context = testContext(db, accountId, { sealer: testSealer });
  const backtest = await backtestAction(context, { id, draft });
  await workAll(backtestJob(db, backtests));
  const { items } = await listBacktestResults(db, accountId, backtest.id, {}, { limit: 10 });
  expect(items.toReversed().map(({ outcome, reason }) => [outcome, reason?.code])).toEqual([
    ["run", undefined],
    ["fail", "schema_mismatch"],
  ]);
  expect(items[0]?.reason?.message).toContain("order.paid");
});
