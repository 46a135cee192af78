import { describe, expect, it } from "vitest";
import { resolveStep, retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { patience } from "../testing/with-worker-queue.ts";
import { call, thrice, withSteps } from "./testing/with-steps.ts";

const { queue, untilFinished, run, states } = await withSteps();

describe("forEach", () => {
  it("does a step for each item, in order or side by side, and shows later steps all responses", async () => {
    await using receiver = await startReceiver((response, { body: sent }) =>
      response.end(`{"got":${sent}}`),
    );
    await using _worker = startTestWorker({ url: queue.url });
    const each = { body: "{{ item }}" };
    const made = await run([
      call("one", receiver, { forEach: { path: "payload.items" } }, each),
      call(
        "two",
        receiver,
        {
          forEach: { path: "payload.items", parallel: 4 },
          when: { any: [{ path: "item", op: "gt", value: 2 }] },
        },
        each,
      ),
      call(
        "sum",
        receiver,
        {},
        { body: { first: "{{ steps.one.items[0].body.got }}", all: "{{ steps.one.items.size }}" } },
      ),
    ]);
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 7 });
    const sent = (path: string) =>
      receiver.calls.filter((made) => made.path === path).map((made) => made.body);
    expect(sent("/one")).toEqual(["1", "2", "3", "4"]);
    expect(sent("/two").toSorted()).toEqual(["3", "4"]);
    expect(sent("/sum")).toEqual(['{"first":1,"all":4}']);
    expect(receiver.calls[1]?.headers["idempotency-key"]).toBe(`${made.id}-one-1`);
  });

  it("takes a list by any name that a path can have", { tags: "variant" }, async () => {
    await using receiver = await startReceiver((response) => response.end());
    await using _worker = startTestWorker({ url: queue.url });
    for (const path of ["payload.$each", 'data["a b"].$lists[1]', "payload.été"]) {
      const to = await queue.addActionQueue({
        steps: [call("each", receiver, { forEach: { path } }, { body: "{{ item }}" })],
      });
      const body = '{"$each":[1],"data":{"a b":{"$lists":[[],[1]]}},"été":[1]}';
      const [id = ""] = await queue.addRuns(to, 1, { body });
      expect([path, (await untilFinished(id)).state]).toEqual([path, "succeeded"]);
    }
    expect(receiver.calls.map((made) => made.body)).toEqual(["1", "1", "1"]);
  });

  it("an item that is retried early doesn't end the wait of another one", async () => {
    const statuses = new Map([
      ["2", [503]],
      ["3", [503]],
    ]);
    await using receiver = await startReceiver((response, { body: sent }) => {
      const status = statuses.get(sent)?.shift() ?? 200;
      response.writeHead(status, sent === "3" ? { "retry-after": "3600" } : {}).end();
    });
    await using _worker = startTestWorker({ url: queue.url });
    const rest = { forEach: { path: "payload.items", parallel: 4 }, retry: thrice };
    const made = await run([call("each", receiver, rest, { body: "{{ item }}" })]);
    const waiting = { attempt_count: 5, lease_id: null, reason: expect.stringMatching(/^retry: /) };
    await expect.poll(() => queue.readRun(made.id), patience).toMatchObject(waiting);
    expect((await queue.readRun(made.id)).due_in_ms).toBeGreaterThan(3_000_000);
    expect(await states(made)).toMatchObject({ "each 1": "succeeded", "each 2": "retrying" });
  });

  it("an item that fails for good is not tried again while another one is retried", async () => {
    let isBusy = true;
    await using receiver = await startReceiver((response, { body: sent }) => {
      const status = sent === "2" ? 400 : sent === "3" && isBusy ? 503 : 200;
      if (sent === "3") isBusy = false;
      response.writeHead(status).end();
    });
    await using _worker = startTestWorker({ url: queue.url });
    const rest = {
      forEach: { path: "payload.items", parallel: 2 },
      onFailure: "continue",
      retry: thrice,
    };
    const made = await run([
      call("each", receiver, rest, { body: "{{ item }}" }),
      call("last", receiver),
    ]);
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
    expect(receiver.calls.map(({ body: sent }) => sent).toSorted()).toEqual([
      "",
      "1",
      "2",
      "3",
      "3",
      "4",
    ]);
    expect(await states(made)).toMatchObject({
      each: "failed",
      "each 1": "failed",
      "each 2": "succeeded",
      last: "succeeded",
    });
  });
});

it("all items that failed are done again when the run is retried manually, and no other", async () => {
  let isDown = true;
  await using receiver = await startReceiver((response, { body: sent }) =>
    response.writeHead(isDown && sent !== "1" ? 400 : 200).end(),
  );
  await using _worker = startTestWorker({ url: queue.url });
  const rest = { forEach: { path: "payload.items", parallel: 4 } };
  const made = await run([call("each", receiver, rest, { body: "{{ item }}" })]);
  expect(await untilFinished(made.id)).toMatchObject({ state: "failed", attempt_count: 4 });
  isDown = false;
  await retryRun(testContext(queue.db, made.accountId), { id: made.id });
  await expect.poll(async () => (await queue.readRun(made.id)).state).toBe("succeeded");
  const sent = receiver.calls.map(({ body }) => body).toSorted();
  expect(sent).toEqual(["1", "2", "2", "3", "3", "4", "4"]);
});

it("an item is tried again after a manual retry as often as its policy says", async () => {
  const statuses = [400, 503, 200];
  await using receiver = await startReceiver((response, { body: sent }) =>
    response.writeHead(sent === "2" ? (statuses.shift() ?? 200) : 200).end(),
  );
  await using _worker = startTestWorker({ url: queue.url });
  const rest = { forEach: { path: "payload.items" }, retry: thrice };
  const made = await run([call("each", receiver, rest, { body: "{{ item }}" })]);
  expect(await untilFinished(made.id)).toMatchObject({ state: "failed", attempt_count: 2 });
  await retryRun(testContext(queue.db, made.accountId), { id: made.id });
  expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 6 });
  expect(receiver.calls.map(({ body: sent }) => sent)).toEqual(["1", "2", "2", "2", "3", "4"]);
  const kept = await queue.readAttempts(made.id);
  expect(kept.map(({ number, response }) => [number, JSON.parse(response ?? "").status])).toEqual([
    [1, 400],
    [2, 503],
  ]);
});

describe("a worker that dies during a call", () => {
  async function leaveUnknown(made: { id: string; accountId: string }, key: string) {
    await queue.db.$executeRaw`
      insert into run_steps (id, account_id, key, item, state, attempt_count, started_at)
      values (${made.id}::uuid, ${made.accountId}::uuid, ${key}, -1, 'calling', 1, now())`;
  }

  it("repeats a PUT with the same key", async () => {
    await using receiver = await startReceiver();
    const made = await run([call("put", receiver, {}, { method: "PUT" })]);
    await leaveUnknown(made, "put");
    await using _worker = startTestWorker({ url: queue.url });
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 2 });
    expect(receiver.calls.length).toBe(1);
    expect((await queue.readAttempts(made.id)).map(({ error_code }) => error_code)).toEqual([
      "outcome_unknown",
    ]);
  });

  it.each([
    ["repeat", 1, "succeeded", ["/post", "/last"]],
    ["succeeded", 0, "succeeded", ["/last"]],
    ["failed", 0, "failed", []],
  ] as const)("holds a POST until a user decides: %s", async (as, _calls, state, paths) => {
    await using receiver = await startReceiver();
    const made = await run([call("post", receiver), call("last", receiver)]);
    await leaveUnknown(made, "post");
    await using _worker = startTestWorker({ url: queue.url });
    await expect.poll(() => states(made)).toEqual({ post: "unknown" });
    await expect
      .poll(async () => (await queue.readRun(made.id)).reason)
      .toMatch(/^outcome_unknown: Step post/);
    expect(receiver.calls).toEqual([]);
    await expect(retryRun(testContext(queue.db, made.accountId), { id: made.id })).rejects.toThrow(
      /First record/,
    );
    const other = await queue.addAccount();
    await expect(
      resolveStep(testContext(queue.db, other), { id: made.id, step: "post", item: null, as }),
    ).rejects.toThrow(/no run with this id/i);
    const owner = testContext(queue.db, made.accountId);
    await resolveStep(owner, { id: made.id, step: "post", item: null, as });
    expect(await untilFinished(made.id)).toMatchObject({ state });
    expect(receiver.calls.map(({ path }) => path)).toEqual(paths);
    const kept = await queue.readAttempts(made.id);
    expect(kept.map(({ number, error_code }) => [number, error_code])).toEqual(
      as === "repeat" ? [[1, "outcome_unknown"]] : [],
    );
  });

  it("each of several calls can be decided, one after the other or at once", async () => {
    await using receiver = await startReceiver();
    const interrupt = async () => {
      const forEach = { path: "payload.items", parallel: 4 };
      const made = await run([call("each", receiver, { forEach })]);
      await queue.db.$executeRaw`
        insert into run_steps (id, account_id, key, item, state, attempt_count, started_at)
        select ${made.id}::uuid, ${made.accountId}::uuid, 'each', item, 'calling', 1, now() from generate_series(0, 3) item`;
      return made;
    };
    const [inTurn, atOnce] = [await interrupt(), await interrupt()];
    await using _worker = startTestWorker({ url: queue.url });
    const readReason = async ({ id }: { id: string }) => (await queue.readRun(id)).reason;
    for (const made of [inTurn, atOnce])
      await expect.poll(() => readReason(made), patience).toMatch(/^outcome_unknown/);
    const resolve = ({ id, accountId }: typeof inTurn, item: number) =>
      resolveStep(testContext(queue.db, accountId), { id, step: "each", item, as: "repeat" });
    for (const item of [0, 1, 2]) await resolve(inTurn, item);
    // No worker claims the run before the last item is decided.
    expect(await readReason(inTurn)).toMatch(/^outcome_unknown/);
    await resolve(inTurn, 3);
    await Promise.all([0, 1, 2, 3].map((item) => resolve(atOnce, item)));
    for (const made of [inTurn, atOnce])
      expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
    await expect(resolve(atOnce, 3)).rejects.toThrow(/waits for a decision/);
    expect(receiver.calls).toHaveLength(8);
  });
});
