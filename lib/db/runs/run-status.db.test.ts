import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { type ActionQueue, createQueueFixture } from "#lib/db/queue/testing/queue-fixture.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { changeRunsJob } from "#lib/jobs/kinds/change-runs.ts";
import { workAll } from "#lib/jobs/testing/work.ts";
import {
  bulkStatuses,
  endedRunStates,
  type RunStatus,
  runStatuses,
} from "#lib/schema/act/run-states.ts";
import { cancelRuns } from "#lib/services/runs.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { countBulkRuns } from "./bulk-jobs.ts";
import { listRuns } from "./list-runs.ts";
import type { RunFilter } from "./run-filter.ts";
import type { RunRecord } from "./run-record.ts";

const queue = await createQueueFixture();
afterAll(() => queue[Symbol.asyncDispose]());
const { db } = queue;

/** The reasons that a run may be stored with, in every situation of its surroundings. */
const reasons = [null, "retry", "outcome_unknown", "worker_died", "resolved"];
const situations: Record<string, (of: ActionQueue) => Promise<unknown>> = {
  active: async () => {},
  "hook paused": ({ hookId: id }) => db.hook.update({ where: { id }, data: { status: "paused" } }),
  "action disabled": (of) => changeAction(of, { enabled: false }),
  "action held": (of) => changeAction(of, { heldSince: new Date(), heldReason: "Too slow." }),
  "action deleted": (of) => changeAction(of, { deletedAt: new Date() }),
  "breaker of the action open": ({ targetId }) => openBreaker(targetId, null),
  "breaker of a destination open": async (of) => {
    const id = newId();
    const { accountId } = of;
    const origin = "https://crm.example";
    await db.destination.create({ data: { id, accountId, name: id, origin } });
    await changeAction(of, { destinationIds: [id] });
    await openBreaker(id, null);
  },
  "breaker closing": ({ targetId }) => openBreaker(targetId, 1),
};

function changeAction({ targetId: id }: ActionQueue, data: object): Promise<unknown> {
  return db.action.update({ where: { id }, data });
}

function openBreaker(targetId: string, ramp: number | null): Promise<unknown> {
  return db.$executeRaw`
    insert into target_breakers (target_id, down_since, next_try_at, ramp)
    values (${targetId}::uuid, now(), now() + interval '1 minute', ${ramp}::int)`;
}

/** Adds one run for each reason that is due, one that isn't, and one in flight. */
async function addRuns(of: Omit<ActionQueue, "hookId"> & { readonly hookId: string | null }) {
  for (const reasonCode of reasons)
    for (const when of ["due", "later", "in flight"]) {
      const state = reasonCode === null ? "queued" : "retrying";
      const id = await addRun(db, { ...of, state, reasonCode, reasonDetail: "A test." });
      // A run is due later only if it is a retry.
      if (when === "later" && reasonCode !== null)
        await db.$executeRaw`update queue set due_at = now() + interval '1 hour' where id = ${id}::uuid`;
      if (when === "in flight")
        await db.$executeRaw`update queue set lease_id = ${newId()}::uuid where id = ${id}::uuid`;
    }
  for (const state of endedRunStates) await addRun(db, { ...of, state });
}

const accountId = await queue.addAccount();
const targets: { readonly name: string; readonly filters: readonly RunFilter[] }[] = [];

beforeAll(async () => {
  for (const [name, apply] of Object.entries(situations)) {
    const of = await queue.addActionQueue({ accountId });
    await addRuns(of);
    await apply(of);
    targets.push({ name, filters: [{ actionId: of.targetId }, { hookId: of.hookId }] });
  }
  for (const status of ["active", "disabled", "pending"] as const) {
    const recipient = `recipient ${status}`;
    const targetId = await addSubscription(db, accountId, { status, recipient });
    await addRuns({ accountId, targetId, hookId: null });
    const filters = [{ subscriptionId: targetId }, { recipient }];
    targets.push({ name: `subscription ${status}`, filters });
  }
});

async function list(filter: RunFilter): Promise<readonly RunRecord[]> {
  return (await listRuns(db, accountId, filter, { limit: 1_000 })).items;
}

async function find(filter: RunFilter): Promise<readonly string[]> {
  return (await list(filter)).map(({ id }) => id);
}

it("every status that a run shows is a filter that finds it, and no other does", async () => {
  const seen = new Set<RunStatus>();
  const scopes = [{ name: "account", filters: [{}] }, ...targets];
  for (const { name, filters } of scopes)
    for (const filter of filters) {
      const shown = await list(filter);
      expect(shown.length, name).toBeGreaterThanOrEqual(reasons.length * 3);
      for (const status of runStatuses) {
        const expected = shown.flatMap((run) => (run.status === status ? [run.id] : []));
        expect(await find({ ...filter, status }), `${name}, ${status}`).toEqual(expected);
        if (expected.length > 0) seen.add(status);
      }
    }
  expect(seen).toEqual(new Set(runStatuses));
});

it("pages of held runs have each of them once", async () => {
  const expected = await find({ status: "held" });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listRuns(db, accountId, { status: "held" }, { limit: 3, cursor });
    found.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(found).toEqual(expected);
});

it("a bulk cancel changes every run that its status shows, whatever holds it", async () => {
  for (const status of bulkStatuses.cancel) {
    const cancelled = await find({ status: "cancelled" });
    const ids = await find({ status });
    expect(ids.length).toBeGreaterThan(0);
    expect(await countBulkRuns(db, accountId, "cancel", { status })).toBe(ids.length);
    await cancelRuns(testContext(db, accountId), { filter: { status } });
    await workAll(changeRunsJob(db, "retry"), changeRunsJob(db, "cancel"));
    expect(new Set(await find({ status: "cancelled" }))).toEqual(new Set([...cancelled, ...ids]));
  }
});
