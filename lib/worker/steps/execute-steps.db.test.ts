import { describe, expect, it } from "vitest";
import { getRun } from "#lib/db/runs/runs.ts";
import { retryRun } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { startReceiver } from "../testing/receiver.ts";
import { startTestWorker } from "../testing/start-worker.ts";
import { call, once, thrice, withSteps } from "./testing/with-steps.ts";

const { queue, untilFinished, run, states } = await withSteps();

describe("the steps of a run", () => {
  it("are done in order, and later ones see the responses of earlier ones with all digits", async () => {
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

  it("a failed run continues at the failed step when it is retried manually", async () => {
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
    await retryRun(testContext(queue.db, made.accountId), { id: made.id });
    await expect.poll(async () => (await queue.readRun(made.id)).state).toBe("succeeded");
    expect(receiver.calls.map(({ path }) => path)).toEqual(["/first", "/second", "/second"]);
    const { attempts } = await getRun(queue.db, made.accountId, made.id);
    expect(attempts.map(({ step, number }) => [step, number])).toEqual([["second", 1]]);
  });

  it("a step that waits for its next attempt stops waiting when its run is retried manually", async () => {
    const statuses = [503, 200];
    await using receiver = await startReceiver((response) =>
      response.writeHead(statuses.shift() ?? 200).end(),
    );
    await using _worker = startTestWorker({ url: queue.url });
    const retry = { ...thrice, initialDelayMs: 3_600_000, maxDelayMs: 3_600_000 };
    const made = await run([call("only", receiver, { retry })]);
    await expect
      .poll(() => queue.readRun(made.id))
      .toMatchObject({ reason: expect.stringMatching(/^retry: /), lease_id: null });
    await retryRun(testContext(queue.db, made.accountId), { id: made.id });
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 2 });
  });

  it("are done again from a step on if a user asks for that, with the same keys", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const made = await run([
      call("first", receiver),
      { key: "text", kind: "transform", code: "export default () => 1" },
      call("second", receiver, { onFailure: { steps: [call("tell", receiver)] } }),
      call("third", receiver),
    ]);
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded", attempt_count: 3 });
    await expect(
      retryRun(testContext(queue.db, made.accountId), { id: made.id, fromStep: "last" }),
    ).rejects.toThrow("Its steps are first, text, second, tell, third.");
    await retryRun(testContext(queue.db, made.accountId), { id: made.id, fromStep: "second" });
    await expect
      .poll(() => queue.readRun(made.id))
      .toMatchObject({ state: "succeeded", attempt_count: 5 });
    const paths = receiver.calls.map(({ path }) => path);
    expect(paths).toEqual(["/first", "/second", "/third", "/second", "/third"]);
    const keys = receiver.calls.map(({ headers }) => headers["idempotency-key"]);
    expect(keys.slice(3)).toEqual(keys.slice(1, 3));
    const { attempts } = await getRun(queue.db, made.accountId, made.id);
    expect(attempts.map(({ step, number }) => [step, number]).toSorted()).toEqual([
      ["second", 1],
      ["third", 1],
    ]);
    const done = { first: "succeeded", text: "succeeded", second: "succeeded", third: "succeeded" };
    expect(await states(made)).toEqual(done);
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
    if (choice === "branch")
      expect(receiver.calls[1]?.body).toContain("The receiver responded with 400");
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
    await queue.db
      .$executeRaw`update run_steps set due_at = now() - interval '1 ms' where id = ${made.id}::uuid`;
    await queue.db
      .$executeRaw`update queue set due_at = now() - interval '1 ms' where id = ${made.id}::uuid`;
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
    expect(receiver.calls.map(({ path }) => path)).toEqual(["/first", "/last"]);
  });

  it("a transform's value is what later steps send, and its error says where", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const code = `export default ({ payload }, steps) => ({
      names: payload.items.map((n) => "item " + n),
      big: payload.big,
      status: steps.first.status,
      day: new Date().toISOString().slice(0, 10),
    })`;
    const sent = `{"names":["item 1","item 2","item 3","item 4"],"big":12345678901234567890123,"status":200}`;
    const broken = {
      key: "broken",
      kind: "transform",
      code: "export default () => {\n  throw new Error('no such day')\n}",
    };
    const day = () => new Date().toISOString().slice(0, 10);
    const days = [day()];
    const made = await run([
      call("first", receiver),
      { key: "shape", kind: "transform", code },
      call("send", receiver, {}, { body: "{{ steps.shape.value }}" }),
      broken,
    ]);
    expect(await untilFinished(made.id)).toMatchObject({ state: "failed" });
    // Another day may have started meanwhile.
    days.push(day());
    expect(days.map((at) => `${sent.slice(0, -1)},"day":"${at}"}`)).toContain(
      receiver.calls[1]?.body,
    );
    expect((await queue.readRun(made.id)).reason).toMatch(
      /^transform_threw: Step broken: line 2, column 18: .*no such day/,
    );
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

  it("an event that can't be stored for a moment is stored later, and no step before it is done again", async () => {
    await using receiver = await startReceiver();
    const sql = (text: string) => queue.db.$executeRawUnsafe(text);
    // The error of a failover. A sequence also counts rejections that are rolled back.
    await sql("create sequence rejections");
    await sql(`create function reject() returns trigger language plpgsql as $$ begin
      perform nextval('rejections');
      raise exception 'no' using errcode = '57P03';
    end $$`);
    await sql(
      "create trigger reject before insert on events for each row execute function reject()",
    );
    await using _worker = startTestWorker({ url: queue.url });
    const made = await run([
      call("first", receiver),
      { key: "tell", kind: "publish", type: "order.paid", data: {} },
    ]);
    await expect
      .poll(async () => await queue.db.$queryRaw`select is_called from rejections`)
      .toEqual([{ is_called: true }]);
    await sql("drop function reject cascade");
    expect(await untilFinished(made.id)).toMatchObject({ state: "succeeded" });
    expect(receiver.calls.map(({ path }) => path)).toEqual(["/first"]);
    expect(await queue.db.event.count({ where: { accountId: made.accountId } })).toBe(1);
  });
});
