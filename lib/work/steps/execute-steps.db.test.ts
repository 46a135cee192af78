import { describe, expect, it } from "vitest";
import { listRunSteps, resolveStep } from "#lib/db/runs/run-steps.ts";
import { retryRun } from "#lib/db/runs/runs.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();

const order = {
  id: "order_7",
  email: "a@b.test",
  big: "12345678901234567890123",
  items: [1, 2, 3, 4],
};
const body = JSON.stringify(order).replace('"12345678901234567890123"', "12345678901234567890123");

function call(key: string, receiver: Receiver, rest: object = {}, request: object = {}) {
  const url = `http://127.0.0.1:${receiver.port}/${key}`;
  return { key, kind: "call", request: { method: "POST", url, ...request }, ...rest };
}

async function run(steps: readonly object[], options: object = {}) {
  const actionQueue = await queue.addActionQueue({ steps, ...options });
  const [id = ""] = await queue.addRuns(actionQueue, 1, { body });
  return { id, ...actionQueue };
}

const states = async ({ id, accountId }: { id: string; accountId: string }) =>
  Object.fromEntries(
    (await listRunSteps(queue.db, accountId, id)).map(({ key, item, state }) => [
      item === null ? key : `${key} ${item}`,
      state,
    ]),
  );

const once = { maxAttempts: 1, initialDelayMs: 100, maxDelayMs: 100, on: ["5xx"] };
const thrice = { ...once, maxAttempts: 3 };

describe("the steps of a run", () => {
  it("are done in order, and later ones see the answers of earlier ones with all digits", async () => {
    await using receiver = await startReceiver((response, { path }) => {
      response.writeHead(path === "/find" ? 200 : 201, { "content-type": "application/json" });
      response.end(path === "/find" ? '{"contact":{"id":98765432109876543210987}}' : "{}");
    });
    await using _worker = startTestWorker({ url: queue.url });
    const update = {
      method: "PUT",
      url: `http://127.0.0.1:${receiver.port}/contacts/{{ steps.find.body.contact.id }}`,
      body: {
        email: "{{ payload.email }}",
        seen: "{{ steps.find.status }}",
        big: "{{ payload.big }}",
      },
    };
    const made = await run([
      call("find", receiver, {}, { body: { email: "{{ payload.email }}" } }),
      call("create", receiver, {
        when: { all: [{ path: "steps.find.status", op: "equals", value: 404 }] },
      }),
      call("update", receiver, {}, update),
    ]);
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 2 });
    expect(receiver.calls.map(({ path, body: sent }) => [path, sent])).toEqual([
      ["/find", '{"email":"a@b.test"}'],
      [
        "/contacts/98765432109876543210987",
        '{"email":"a@b.test","seen":200,"big":12345678901234567890123}',
      ],
    ]);
    expect(receiver.calls.map(({ headers }) => headers["idempotency-key"])).toEqual([
      `${made.id}-find`,
      `${made.id}-update`,
    ]);
    expect(await states(made)).toEqual({
      find: "succeeded",
      create: "skipped",
      update: "succeeded",
    });
  });

  it("a step that fails is retried alone, with the same key, and what succeeded is not repeated", async () => {
    let failures = 2;
    await using receiver = await startReceiver((response, { path }) => {
      if (path === "/second" && failures > 0) {
        failures -= 1;
        response.writeHead(503).end();
      } else response.end("{}");
    });
    await using _worker = startTestWorker({ url: queue.url });
    const made = await run(
      ["first", "second", "third"].map((key) => call(key, receiver, { retry: thrice })),
    );
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 5 });
    expect(receiver.calls.map(({ path }) => path)).toEqual([
      "/first",
      "/second",
      "/second",
      "/second",
      "/third",
    ]);
    const keys = receiver.calls.slice(1, 4).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys)).toEqual(new Set([`${made.id}-second`]));
    expect((await queue.readAttempts(made.id)).map(({ number }) => number)).toEqual([1, 2]);
  });

  it("a failed run continues at the failed step when it is retried by hand", async () => {
    let isDown = true;
    await using receiver = await startReceiver((response, { path }) =>
      response.writeHead(path === "/second" && isDown ? 500 : 200).end(),
    );
    await using _worker = startTestWorker({ url: queue.url });
    const made = await run([call("first", receiver), call("second", receiver, { retry: once })]);
    expect(await untilFinished(made.id)).toMatchObject({ state: "failed" });
    expect((await queue.readRun(made.id)).reason).toMatch(
      /^attempts_exhausted: Step second: .*500/,
    );
    isDown = false;
    await retryRun(queue.db, made.accountId, made.id);
    await expect.poll(async () => (await queue.readRun(made.id)).state).toBe("succeeded");
    expect(receiver.calls.map(({ path }) => path)).toEqual(["/first", "/second", "/second"]);
  });

  it.each([
    ["stop", ["/first"], "failed"],
    ["continue", ["/first", "/last"], "succeeded"],
    ["branch", ["/first", "/tell", "/last"], "succeeded"],
  ])("onFailure %s", async (choice, paths, state) => {
    await using receiver = await startReceiver((response, { path }) =>
      response.writeHead(path === "/first" ? 400 : 200).end(),
    );
    await using _worker = startTestWorker({ url: queue.url });
    const tell = call("tell", receiver, {}, { body: { why: "{{ steps.first.error.message }}" } });
    const onFailure = choice === "branch" ? { steps: [tell] } : choice;
    const made = await run([call("first", receiver, { onFailure }), call("last", receiver)]);
    expect(await untilFinished(made.id)).toMatchObject({ state });
    expect(receiver.calls.map(({ path }) => path)).toEqual(paths);
    if (choice === "branch") expect(receiver.calls[1]?.body).toContain("The receiver answered 400");
  });

  it("a delay waits in the database, not in the worker", async () => {
    await using receiver = await startReceiver();
    await using worker = startTestWorker({ url: queue.url });
    const made = await run([
      call("first", receiver),
      { key: "wait", kind: "delay", ms: 3_600_000 },
      call("last", receiver),
    ]);
    await expect
      .poll(() => queue.readRun(made.id))
      .toMatchObject({ reason: expect.stringMatching(/^delay: /), lease_id: null });
    expect(worker.worker.size).toBe(0);
    expect((await queue.readRun(made.id)).due_in_ms).toBeGreaterThan(3_500_000);
    await queue.db.$executeRaw`update run_steps set due_at = now() where id = ${made.id}::uuid`;
    await queue.db.$executeRaw`update queue set due_at = now() where id = ${made.id}::uuid`;
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
    expect(receiver.calls.map(({ path }) => path)).toEqual(["/first", "/last"]);
  });

  it("publishes an event once, to those who subscribed", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const made = await run([
      {
        key: "tell",
        kind: "publish",
        type: "order.{{ method | downcase }}",
        data: { id: "{{ id }}", big: "{{ payload.big }}" },
      },
      call("last", receiver, {}, { body: { event: "{{ steps.tell.value.id }}" } }),
    ]);
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
    const events = await queue.db.event.findMany({ where: { accountId: made.accountId } });
    expect(events.map(({ type, publicId }) => [type, publicId])).toEqual([
      ["order.post", `${made.id}-tell`],
    ]);
    expect(Buffer.from(events[0]?.body ?? []).toString()).toContain(
      '"data":{"id":"order_7","big":12345678901234567890123}',
    );
    expect(receiver.calls[0]?.body).toBe(`{"event":"${made.id}-tell"}`);
  });
});

describe("forEach", () => {
  it("does a step for each item, in order or side by side, and shows later steps all answers", async () => {
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
  ] as const)("holds a POST until somebody decides: %s", async (as, _calls, state, paths) => {
    await using receiver = await startReceiver();
    const made = await run([call("post", receiver), call("last", receiver)]);
    await leaveUnknown(made, "post");
    await using _worker = startTestWorker({ url: queue.url });
    await expect.poll(() => states(made)).toEqual({ post: "unknown" });
    await expect
      .poll(async () => (await queue.readRun(made.id)).reason)
      .toMatch(/^outcome_unknown: Step post/);
    expect(receiver.calls).toEqual([]);
    await expect(retryRun(queue.db, made.accountId, made.id)).rejects.toThrow(/Say first/);
    const other = await queue.addAccount();
    await expect(
      resolveStep(queue.db, other, made.id, { step: "post", item: null, as }),
    ).rejects.toThrow(/no run with this id/i);
    await resolveStep(queue.db, made.accountId, made.id, { step: "post", item: null, as });
    expect(await untilFinished(made.id)).toMatchObject({ state });
    expect(receiver.calls.map(({ path }) => path)).toEqual(paths);
  });
});
