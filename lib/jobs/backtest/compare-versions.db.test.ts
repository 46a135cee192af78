import { afterAll, beforeAll, expect, it } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { getBacktest } from "#lib/db/backtests/backtests.ts";
import { updateAction } from "#lib/services/actions/write-actions.ts";
import { backtestAction, listGroupResults, showBacktest } from "#lib/services/backtests.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { testSealer } from "#lib/worker/testing/start-worker.ts";
import { withWorkerQueue } from "#lib/worker/testing/with-worker-queue.ts";
import { backtestJob } from "../kinds/backtest.ts";
import { workAll } from "../testing/work.ts";
import { Backtests } from "./backtests.ts";

const { queue } = await withWorkerQueue();
const { db } = queue;
const allow = parseCidrList("127.0.0.0/8");
if (!allow.ok) throw new Error(allow.message);
const allowList = allow.cidrs;
let backtests: Backtests;
beforeAll(() => {
  backtests = new Backtests({ db, sealer: testSealer, allowList, version: "0.0.0" });
});
afterAll(() => backtests.close());

const url = "http://127.0.0.1:8099/";

it("any version is compared with any other, and what newly fails is told apart", {
  tags: "variant",
}, async () => {
  const to = await queue.addActionQueue({ request: { method: "POST", url, headers: {} } });
  const variables = { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" };
  const context = testContext(db, to.accountId, { sealer: testSealer, variables });
  const save = async (body: object) => {
    const request = { method: "POST" as const, url, body };
    return (await updateAction(context, { id: to.targetId, request })).version;
  };
  const fixed = await save({ from: "shop" });
  const strict = await save({ amount: "{{ payload.amount }}" });
  const current = await save({ email: "{{ payload.email }}" });
  const mails = ["a@b.c", "d@e.f"].map((email, at) => ({ amount: at, email }));
  for (const body of [...mails, { amount: 5 }, { kind: "empty" }])
    await queue.addRuns(to, 1, { body: JSON.stringify(body) });
  const start = async (set: Omit<Parameters<typeof backtestAction>[1], "id">) =>
    (await backtestAction(context, { id: to.targetId, ...set })).id;
  const show = (id: string) => showBacktest(context, { id, show: "new_fail" });
  const compare = async (version: number, against?: number) => {
    const id = await start(against === undefined ? { version } : { version, against });
    await workAll(backtestJob(db, backtests));
    return { ...(await show(id)), backtest: await getBacktest(db, to.accountId, id) };
  };

  const first = await compare(strict, fixed);
  expect(first.backtest).toMatchObject({ version: strict, against: fixed });
  expect(first.backtest).toMatchObject({ failCount: 1, stillFailCount: 0 });
  const withCurrent = await compare(strict);
  expect(withCurrent.backtest).toMatchObject({ against: current, failCount: 1, stillFailCount: 1 });
  expect(withCurrent.groups).toEqual([]);
  const back = await compare(current, strict);
  expect(back.backtest).toMatchObject({ failCount: 2, stillFailCount: 1 });
  expect(back.groups).toMatchObject([{ count: 1, example: { currentOutcome: "run" } }]);

  // Both mails differ in the same way, whatever their values are.
  const { id } = back.backtest;
  const [group, ...others] = (await showBacktest(context, { id, show: "" })).groups;
  expect([group?.count, others.map(({ count }) => count)]).toEqual([2, [1, 1]]);
  const changeKey = group?.example.changeKey ?? "";
  const { items } = await listGroupResults(context, { id, show: "", changeKey });
  const after = items.map(({ details }) => details.requests[0]?.changes.at(-1)?.after);
  expect(after.toSorted()).toEqual(['"a@b.c"', '"d@e.f"']);

  await expect(start({ draft: { filter: null }, version: strict })).rejects.toMatchObject({
    errors: [{ path: "version", code: "conflict" }],
  });
  await expect(start({ version: 99 })).rejects.toMatchObject({ code: "not_found" });
});
