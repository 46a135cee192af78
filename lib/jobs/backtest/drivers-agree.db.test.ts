import { afterAll, beforeAll, expect, it } from "vitest";
import { listBacktestResults } from "#lib/db/backtests/backtest-results.ts";
import { previewAction } from "#lib/services/actions/steps/try-steps.ts";
import { updateAction } from "#lib/services/actions/write-actions.ts";
import { backtestAction } from "#lib/services/backtests.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { startTestWorker, testSealer } from "#lib/worker/testing/start-worker.ts";
import { withWorkerQueue } from "#lib/worker/testing/with-worker-queue.ts";
import { backtestJob } from "../kinds/backtest.ts";
import { workAll } from "../testing/work.ts";
import { Backtests } from "./backtests.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { db } = queue;
const backtests = new Backtests({ db, sealer: testSealer, allowList: [], version: "0.0.0" });
beforeAll(() => {
  // The service loads transforms in threads, as the web process does.
  const script = new URL("../../services/threads/web-thread.ts", import.meta.url);
  Object.assign(globalThis, { catchmentThreadScript: script });
});
afterAll(() => Promise.all([backtests.close(), webThreads().close()]));

const throws = "export default () => { throw new Error('no stock'); }";
const seven = "export default () => 7";
const never = { all: [{ path: "type", op: "equals", value: "other" }] };
const value = (key: string, rest: object) => ({ key, kind: "transform", ...rest });
const tell = (template: string) => ({
  key: "tell",
  kind: "publish",
  type: "stock.told",
  data: { is: template },
});
const wait = (until: string) => ({ key: "wait", kind: "delay", until });
const branch = { steps: [value("other", { code: seven })] };

/** The steps of an action, and what its last one sends or why it doesn't. */
type Case = readonly [name: string, steps: readonly object[], expected: string];
const cases: readonly Case[] = [
  ["a value", [value("t", { code: seven }), tell("{{ steps.t.value }}")], '{"is":7}'],
  ["a failed step", [value("t", { code: throws }), tell("x")], "no stock"],
  [
    "a failed step, from which the run continues",
    [value("t", { code: throws, onFailure: "continue" }), tell("x {{ steps.t.error.code }}")],
    '{"is":"x transform_threw"}',
  ],
  [
    "the value of a skipped step",
    [value("t", { code: seven, when: never }), tell("{{ steps.t.value }}")],
    "steps.t.value is not there: steps.t was skipped",
  ],
  [
    "a branch that runs",
    [value("t", { code: throws, onFailure: branch }), tell("{{ steps.other.value }}")],
    '{"is":7}',
  ],
  forEachOver("payload.none"),
  ["a delay until a date that can't be read", [wait("{{ payload.day }}"), tell("x")], "11/21/2026"],
];
const otherCases: readonly Case[] = [
  [
    "the value of a failed step",
    [value("t", { code: throws, onFailure: "continue" }), tell("{{ steps.t.value }}")],
    "steps.t.value is not there: steps.t failed: line 1",
  ],
  [
    "the value of a skipped step, with a default",
    [value("t", { code: seven, when: never }), tell("{{ steps.t.value | default: 0 }}")],
    '{"is":0}',
  ],
  [
    "a step that reads a skipped one",
    [
      value("t", { code: seven, when: never }),
      value("u", { code: "export default (delivery, steps) => steps.t.value === undefined" }),
      tell("{{ steps.u.value }}"),
    ],
    '{"is":true}',
  ],
  [
    "a branch that doesn't run",
    [value("t", { code: seven, onFailure: branch }), tell("{{ steps.other.value }}")],
    "steps.other is not there",
  ],
  ...["payload.missing", "payload.text"].map(forEachOver),
];

function forEachOver(path: string): Case {
  return [`forEach over ${path}`, [{ ...tell("x"), forEach: { path } }], path];
}

const title = "a preview, a backtest, and a run agree: %s";
it.each(cases)(title, expectToAgree);
it.each(otherCases)(title, { tags: "variant" }, expectToAgree);

async function expectToAgree(...[, steps, expected]: Case): Promise<void> {
  const request = { method: "POST", url: "https://receiver.example/", headers: {}, body: null };
  const to = await queue.addActionQueue({ request });
  const { accountId, targetId: id } = to;
  const context = testContext(db, accountId, { sealer: testSealer });
  const change: object = { steps };
  await updateAction(context, { ...change, id });
  const body = '{"list":[1,2,3],"empty":[],"none":null,"text":"x","day":"11/21/2026"}';
  const [runId = ""] = await queue.addRuns(to, 1, { body });
  const [delivery] = await db.$queryRaw<{ id: string }[]>`
    select id from deliveries where hook_id = ${to.hookId}::uuid`;

  const sends = expected.startsWith("{");
  const isDelay = steps.some((step) => "until" in step);
  const preview = await previewAction(context, {
    id,
    deliveryId: delivery?.id,
    step: isDelay ? "wait" : "tell",
  });
  expect(preview.ok).toBe(sends);
  expect(JSON.stringify(preview)).toContain(JSON.stringify(expected).slice(1, -1));

  const backtest = await backtestAction(context, { id, draft: change });
  await workAll(backtestJob(db, backtests));
  const { items } = await listBacktestResults(db, accountId, backtest.id, {}, { limit: 1 });
  expect(items[0]?.outcome).toBe(sends ? "run" : "fail");
  if (!sends) expect(items[0]?.reason?.message).toContain(expected);

  await using _worker = startTestWorker({ url: queue.url });
  const run = await untilFinished(runId);
  expect(run.state).toBe(sends ? "succeeded" : "failed");
  if (!sends) expect(JSON.stringify(run)).toContain(expected);
  const events = await db.$queryRaw<{ body: Uint8Array }[]>`
    select body from events where account_id = ${accountId}::uuid`;
  const sent = events.map((event) => Buffer.from(event.body).toString());
  expect(sent).toEqual(sends ? [expect.stringContaining(`"data":${expected}`)] : []);
}
