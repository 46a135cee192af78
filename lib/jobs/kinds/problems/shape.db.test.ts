import { beforeEach, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addHook, type TestHook } from "#lib/db/testing/test-hook.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { takeTurn } from "#lib/jobs/run-jobs.ts";
import type { ProblemDetails } from "#lib/schema/watch/problem.ts";
import { createAction } from "#lib/services/actions/write-actions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { shapeJob } from "./shape.ts";

const { db } = withDatabase();
let hook: TestHook;

beforeEach(async () => {
  hook = await addHook(db);
});

const order = (total: unknown) => ({ id: "o1", total, items: [{ price: 1 }, { price: 2 }] });

it("a field that an action reads changes its type: one problem names the action and where it reads it", async () => {
  await createAction(testContext(db, hook.accountId), {
    id: hook.id,
    name: "Notify finance",
    request: { method: "POST", url: "https://r.example/", body: { amount: "{{ payload.total }}" } },
  });
  for (let turn = 0; turn < 2; turn += 1) {
    await deliver(
      "order.paid",
      Array.from({ length: 16 }, () => order(5)),
    );
    await look();
  }
  expect(await listProblems()).toEqual([]);
  await deliver("order.paid", [order("5.00"), order(6), order("7.00")]);
  await deliver("order.refunded", [{ other: true }]);
  await look();
  const [problem, ...others] = await listProblems();
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ kind: "shape", state: "open", count: 2n });
  expect(problem?.delivery_id).not.toBeNull();
  expect(problem?.details).toMatchObject({
    eventType: "order.paid",
    changes: [{ path: "total", change: "type", before: "number", after: "text" }],
    actions: [{ name: "Notify finance", paths: ["total"], readBy: ["body.amount"] }],
  });
});

it("a difference ends after 20 deliveries without it, and is optional then", async () => {
  await learnWithAction();
  await deliver("t", [{ id: "o1", items: [] }]);
  await look();
  expect(await listProblems()).toMatchObject([{ state: "open" }]);
  await deliver(
    "t",
    Array.from({ length: 20 }, () => order(5)),
  );
  await look();
  expect(await listProblems()).toMatchObject([{ state: "resolved", resolution: "recovered" }]);
  await deliver("t", [{ id: "o1", items: [] }]);
  await look();
  expect(await listProblems()).toMatchObject([{ state: "resolved" }]);
});

it("someone who resolves the problem accepts the new shape", async () => {
  await learnWithAction();
  await deliver("t", [{ id: "o1" }]);
  await look();
  await db.$executeRaw`
    update problems set state = 'resolved', resolution = 'manual', resolved_at = now() where hook_id = ${hook.id}::uuid`;
  await deliver(
    "t",
    Array.from({ length: 5 }, () => ({ id: "o1" })),
  );
  await look();
  expect(await listProblems()).toMatchObject([{ state: "resolved" }]);
});

it("tests, rejected deliveries, large bodies, and what isn't JSON teach nothing", async () => {
  await deliver("t", [order(5)], { isSample: true });
  await deliver("t", [order(5)], { status: "rejected" });
  await deliver("t", [{ text: "x".repeat(200_000) }]);
  await deliver("t", ["not an object"]);
  await look();
  const row = await db.hookShape.findFirst({ where: { hookId: hook.id } });
  expect(row?.shape).toMatchObject({ learned: { deliveries: 1, objects: {} } });
});

async function learnWithAction(): Promise<void> {
  await createAction(testContext(db, hook.accountId), {
    id: hook.id,
    name: "a",
    request: { method: "POST", url: "https://r.example/{{ payload.total }}" },
  });
  for (let turn = 0; turn < 2; turn += 1) {
    await deliver(
      "t",
      Array.from({ length: 16 }, () => order(5)),
    );
    await look();
  }
}

async function look(): Promise<void> {
  await db.$executeRaw`update shape_cursors set checked_at = now() - interval '1 minute'`;
  await takeTurn({ jobs: [shapeJob(db)] }, 0, new AbortController().signal);
}

/** Stores deliveries as the catch path and the roll-up do. */
async function deliver(
  eventType: string,
  payloads: readonly unknown[],
  { status = "accepted", isSample = false } = {},
): Promise<void> {
  for (const payload of payloads) {
    const [id, body] = [newId(), Buffer.from(JSON.stringify(payload))];
    await db.$executeRaw`
      insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type, body_size, body,
        event_type, verification_outcome, source_ip, is_sample)
      values (${id}::uuid, ${hook.accountId}::uuid, ${hook.id}::uuid, ${status}, now(), 'POST', '', '', '[]', 'application/json',
        ${body.byteLength}::int, ${body}::bytea, ${eventType}, 'verified', '127.0.0.1', ${isSample})`;
    await db.$executeRaw`
      insert into last_deliveries (hook_id, account_id, delivery_id, status, received_at)
      values (${hook.id}::uuid, ${hook.accountId}::uuid, ${id}::uuid, ${status}, now())
      on conflict (hook_id) do update set delivery_id = excluded.delivery_id`;
  }
}

type ProblemRow = {
  readonly kind: string;
  readonly state: string;
  readonly resolution: string | null;
  readonly count: bigint;
  readonly delivery_id: string | null;
  readonly details: ProblemDetails;
};

async function listProblems(): Promise<readonly ProblemRow[]> {
  return await db.$queryRaw<ProblemRow[]>`
    select kind, state, resolution, count, delivery_id, details from problems where hook_id = ${hook.id}::uuid order by id`;
}
