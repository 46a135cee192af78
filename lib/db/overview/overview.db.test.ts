import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addRun } from "#lib/db/testing/test-runs.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { openSealer } from "#lib/open-sealer.ts";
import type { StoredRunState } from "#lib/schema/act/run-states.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { countRuns, findLastDeliveries } from "./overview.ts";

const { db } = withDatabase();
const accountId = newId();
const otherAccountId = newId();
const sealer = openSealer("a secret key for tests, long enough");

beforeAll(async () => {
  await db.account.createMany({
    data: [
      { id: accountId, slug: "acme", name: "Acme" },
      { id: otherAccountId, slug: "other", name: "Other" },
    ],
  });
});

async function makeHook(owner = accountId): Promise<string> {
  const { hook } = await createHook(testContext(db, owner, { sealer }), { name: "Orders" });
  return hook.id;
}

async function deliver(hookId: string, status = "accepted", owner = accountId): Promise<string> {
  const id = newId();
  await db.delivery.create({
    data: {
      id,
      accountId: owner,
      hookId,
      status,
      receivedAt: new Date(),
      method: "POST",
      path: "",
      query: "",
      headers: [],
      bodySize: 0,
      body: new Uint8Array(),
      verificationOutcome: "not_configured",
      sourceIp: "203.0.113.5",
    },
  });
  return id;
}

async function run(hookId: string, deliveryId: string, state: StoredRunState): Promise<void> {
  await addRun(db, { accountId, targetId: newId(), hookId, deliveryId, state });
}

describe("the runs of deliveries", () => {
  it("are counted by state", async () => {
    const hookId = await makeHook();
    const older = await deliver(hookId);
    const newer = await deliver(hookId, "rejected");
    for (const state of ["succeeded", "failed", "succeeded"] as const)
      await run(hookId, older, state);
    const runs = await countRuns(db, accountId, [newer, older]);
    expect(runs.has(newer)).toBe(false);
    expect(runs.get(older)?.toSorted((one, other) => one.count - other.count)).toEqual([
      { status: "failed", count: 1 },
      { status: "succeeded", count: 2 },
    ]);
  });

  it("belong to the account only", async () => {
    const hookId = await makeHook(otherAccountId);
    const id = await deliver(hookId, "accepted", otherAccountId);
    await run(hookId, id, "succeeded");
    expect((await countRuns(db, otherAccountId, [id])).size).toBe(0);
    expect((await findLastDeliveries(db, accountId, [hookId])).size).toBe(0);
  });
});

it("the last delivery of a hook is the newest of any status", async () => {
  const [busy, quiet] = [await makeHook(), await makeHook()];
  await deliver(busy);
  await deliver(busy, "rejected");
  await deliver(busy, "duplicate");
  const last = await findLastDeliveries(db, accountId, [busy, quiet]);
  expect(last.get(busy)?.status).toBe("duplicate");
  expect(last.has(quiet)).toBe(false);
});
