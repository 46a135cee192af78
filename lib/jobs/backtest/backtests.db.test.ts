import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { listBacktestResults } from "#lib/db/backtests/backtest-results.ts";
import { getBacktest } from "#lib/db/backtests/backtests.ts";
import { leaseBacktest } from "#lib/db/backtests/work-backtests.ts";
import type { ActionQueue } from "#lib/db/queue/testing/queue-fixture.ts";
import { updateAction } from "#lib/services/actions/write-actions.ts";
import { backtestAction } from "#lib/services/backtests.ts";
import { replayDelivery } from "#lib/services/deliveries/replay-deliveries.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { startReceiver } from "#lib/worker/testing/receiver.ts";
import { startTestWorker, testSealer } from "#lib/worker/testing/start-worker.ts";
import { withWorkerQueue } from "#lib/worker/testing/with-worker-queue.ts";
import { backtestJob } from "../kinds/backtest.ts";
import { workAll, workOnce } from "../testing/work.ts";
import { Backtests } from "./backtests.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { db } = queue;
const allow = parseCidrList("127.0.0.0/8");
if (!allow.ok) throw new Error(allow.message);
const allowList = allow.cidrs;
let backtests: Backtests;
beforeAll(() => {
  backtests = open();
  // The service loads transforms in threads, as the web process does.
  const script = new URL("../../services/threads/web-thread.ts", import.meta.url);
  Object.assign(globalThis, { catchmentThreadScript: script });
});
afterAll(() => Promise.all([backtests.close(), webThreads().close()]));

function open(): Backtests {
  return new Backtests({ db, sealer: testSealer, allowList, version: "0.0.0" });
}

const contextOf = (accountId: string) =>
  testContext(db, accountId, {
    sealer: testSealer,
    variables: { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" },
  });

type BacktestChoice = Omit<Parameters<typeof backtestAction>[1], "id" | "draft">;

/** A backtest of a change to the action. Returns its id. */
async function start(to: ActionQueue, draft: object, set: BacktestChoice = {}) {
  const input = { id: to.targetId, draft, ...set };
  return (await backtestAction(contextOf(to.accountId), input)).id;
}

async function finish(accountId: string, id: string) {
  await workAll(backtestJob(db, backtests));
  const { items } = await listBacktestResults(db, accountId, id, {}, { limit: 200 });
  // Results are listed oldest first.
  return { backtest: await getBacktest(db, accountId, id), results: items.toReversed() };
}

async function addDeliveries(to: ActionQueue, bodies: readonly object[]): Promise<string[]> {
  for (const body of bodies) await queue.addRuns(to, 1, { body: JSON.stringify(body) });
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id from deliveries where hook_id = ${to.hookId}::uuid order by id`;
  return rows.map(({ id }) => id);
}

const template = (url: string, body: object) => ({ method: "POST", url, headers: {}, body });

describe("a backtest of an action with one call", () => {
  it("says what runs, skips, fails, and changes, sends nothing, and runs then do the same", async () => {
    await using receiver = await startReceiver();
    const to = await queue.addActionQueue({
      request: template(receiver.url, { amount: "{{ payload.amount }}", from: "shop" }),
      retry: { maxAttempts: 1 },
    });
    const ids = await addDeliveries(to, [
      { amount: 5, kind: "a" },
      { amount: 7, kind: "b", vip: true },
      { amount: 9, kind: "skipped" },
      { kind: "a" },
    ]);
    const draft = {
      filter: { all: [{ path: "payload.kind", op: "notEquals", value: "skipped" }] },
      request: template(receiver.url, {
        amount: "{{ payload.amount }}",
        from: "{% if payload.vip %}vip{% else %}shop{% endif %}",
      }),
    };
    const { backtest, results } = await finish(to.accountId, await start(to, draft));
    expect(backtest).toMatchObject({
      ...{ status: "finished", total: 4, doneCount: 4 },
      ...{ runCount: 2, skipCount: 1, failCount: 1, changedCount: 2, stillFailCount: 1 },
      ...{ version: null, against: 1 },
    });
    expect(results.map(({ deliveryId }) => deliveryId)).toEqual(ids);
    expect(
      results.map((result) => [result.outcome, result.isChanged, result.currentOutcome]),
    ).toEqual([
      ["run", false, "run"],
      ["run", true, "run"],
      ["skip", true, "run"],
      ["fail", false, "fail"],
    ]);
    expect(results[1]?.details.requests).toEqual([
      {
        ...{ step: "call", item: null, kind: "call", method: "POST", url: receiver.url },
        ...{ change: "changed", moreChanges: 0 },
        changes: [{ path: "body.from", before: '"shop"', after: '"vip"' }],
      },
    ]);
    expect(results[2]?.reason?.code).toBe("filter_not_matched");
    expect(results[3]?.reason?.message).toContain("amount");
    expect(receiver.calls).toEqual([]);

    // These are the same results as those of runs of the saved draft.
    await db.$executeRaw`truncate queue`;
    const change: object = draft;
    await updateAction(contextOf(to.accountId), { ...change, id: to.targetId });
    await using _worker = startTestWorker({ url: queue.url });
    const states: string[] = [];
    for (const id of ids) {
      const [replayed] = await replayDelivery(testContext(db, to.accountId), { id });
      states.push((await untilFinished(replayed?.id ?? "")).state);
    }
    expect(states).toEqual(["succeeded", "succeeded", "skipped", "failed"]);
    expect(receiver.calls.map(({ body }) => body)).toEqual([
      '{"amount":5,"from":"shop"}',
      '{"amount":7,"from":"vip"}',
    ]);
  });

  it("stores no credential, and keeps none when it has ended", async () => {
    const to = await queue.addActionQueue({ request: template("http://127.0.0.1:8099/", {}) });
    await addDeliveries(to, [{ note: "token-of-the-draft" }]);
    const request = {
      ...template("http://127.0.0.1:8099/", { note: "{{ payload.note }}" }),
      auth: { type: "bearer", token: "token-of-the-draft" },
    };
    const id = await start(to, { request });
    const { results } = await finish(to.accountId, id);
    const changes = results[0]?.details.requests[0]?.changes.map(({ path }) => path);
    expect(changes).toEqual(["headers.authorization", "body.note"]);
    const [row] = await db.$queryRaw<{ all: string }[]>`
      select row_to_json(b)::text || (select string_agg(row_to_json(r)::text, '') from backtest_results r) as all
      from backtests b where id = ${id}::uuid`;
    expect(row?.all).not.toContain("token-of-the-draft");
    expect(await db.backtest.findUnique({ where: { id } })).toMatchObject({
      draftAuth: null,
      currentAuth: null,
    });
  });

  it("only has the newest deliveries of its time range, and none that arrive later", async () => {
    const to = await queue.addActionQueue({ request: template("http://127.0.0.1:8099/", {}) });
    const ids = await addDeliveries(to, [{}, {}, {}]);
    const id = await start(to, {}, { last: 2 });
    await addDeliveries(to, [{}]);
    const { results } = await finish(to.accountId, id);
    expect(results.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(1));
    await expect(start(to, {}, { to: "1970-01-02" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("continues after its process was killed, in another one, and does each delivery once", async () => {
    const to = await queue.addActionQueue({ request: template("http://127.0.0.1:8099/", {}) });
    await addDeliveries(
      to,
      Array.from({ length: 130 }, (_, index) => ({ index })),
    );
    const id = await start(to, {});
    await workOnce(backtestJob(db, backtests));
    // This process leases the next batch, and dies.
    expect((await leaseBacktest(db))?.id).toBe(id);
    const other = open();
    expect(await workOnce(backtestJob(db, other))).toBe(false);
    await db.$executeRaw`update backtests set leased_until = now() - interval '1 second'`;
    await workAll(backtestJob(db, other));
    await other.close();
    const { backtest, results } = await finish(to.accountId, id);
    expect(backtest).toMatchObject({ status: "finished", doneCount: 130, runCount: 130 });
    expect(new Set(results.map(({ deliveryId }) => deliveryId)).size).toBe(130);
  });
});

describe("a backtest of an action with steps", () => {
  const steps = (url: string) => [
    { key: "find", kind: "call", request: { method: "POST", url: `${url}/find` } },
    {
      key: "update",
      kind: "call",
      request: { method: "PUT", url: `${url}/contacts/{{ steps.find.body.id }}` },
    },
    { key: "log", kind: "call", request: { method: "POST", url: `${url}/log` } },
  ];

  it("uses the responses of real runs, then those of the user, and says what is unknown without", async () => {
    await using receiver = await startReceiver((response) => {
      response.setHeader("content-type", "application/json");
      response.end('{"id":98765432109876543210987}');
    });
    const url = `http://127.0.0.1:${receiver.port}`;
    const to = await queue.addActionQueue({ steps: steps(url) });
    const [first = ""] = await queue.addRuns(to, 1, { body: "{}" });
    {
      await using _worker = startTestWorker({ url: queue.url });
      await untilFinished(first);
    }
    await addDeliveries(to, [{}]);
    const read = async (set: BacktestChoice) =>
      (await finish(to.accountId, await start(to, {}, set))).results.map(
        ({ outcome, details }) => ({
          outcome,
          urls: details.requests.map((request) => request.url.replace(url, "")),
          responses: details.responses,
          unknown: details.unknownSteps,
        }),
      );
    const known = {
      outcome: "run",
      urls: ["/find", "/contacts/98765432109876543210987", "/log"],
      responses: { find: "stored", update: "stored", log: "stored" },
      unknown: [],
    };
    const calls = receiver.calls.length;
    expect(await read({})).toEqual([
      known,
      { outcome: "run", urls: ["/find", "/log"], responses: {}, unknown: ["update"] },
    ]);
    const responses = { find: { status: 200, headers: {}, body: { id: 5 } } };
    expect((await read({ responses }))[1]).toMatchObject({
      urls: ["/find", "/contacts/5", "/log"],
      responses: { find: "given" },
      unknown: [],
    });
    expect(receiver.calls.length).toBe(calls);
  });

  it("does conditions, lists, transforms, and branches as a run does", {
    tags: "variant",
  }, async () => {
    const url = "http://127.0.0.1:8099";
    const to = await queue.addActionQueue({ request: template(url, {}) });
    await addDeliveries(to, [
      { items: [{ sku: "a" }, { sku: "b" }], fails: false },
      { items: [], fails: true },
    ]);
    const draft = {
      steps: [
        {
          key: "each",
          kind: "call",
          forEach: { path: "payload.items" },
          request: { method: "POST", url: `${url}/{{ item.sku }}` },
        },
        {
          key: "check",
          kind: "transform",
          code: "export default ({ payload }) => { if (payload.fails) throw new Error('no'); return 7; }",
          onFailure: {
            steps: [
              {
                key: "tell",
                kind: "publish",
                type: "check.failed",
                data: { because: "{{ steps.check.error.message }}" },
              },
            ],
          },
        },
        {
          key: "seven",
          kind: "call",
          when: { all: [{ path: "steps.check.value", op: "equals", value: 7 }] },
          request: { method: "POST", url: `${url}/seven` },
        },
      ],
    };
    const { results } = await finish(to.accountId, await start(to, draft));
    const shown = results.map(({ details }) =>
      details.requests.map(({ step, item, change, url: to }) => [step, item, change, to]),
    );
    expect(shown).toEqual([
      [
        ["each", 0, "added", `${url}/a`],
        ["each", 1, "added", `${url}/b`],
        ["seven", null, "added", `${url}/seven`],
        ["call", null, "removed", `${url}/`],
      ],
      [
        ["tell", null, "added", ""],
        ["call", null, "removed", `${url}/`],
      ],
    ]);
    const body = results[1]?.details.requests[0]?.changes.find(({ path }) =>
      path.endsWith("because"),
    );
    expect(body?.after).toContain("no");
    expect(results.map(({ outcome, isChanged }) => [outcome, isChanged])).toEqual([
      ["run", true],
      ["run", true],
    ]);
  });
});
