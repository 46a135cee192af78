import { expect, it } from "vitest";
import type { ClaimedRun } from "#lib/db/queue/claim-runs.ts";
import { HeldRuns } from "./held-runs.ts";

function claimed(id: string, more: Partial<ClaimedRun> = {}): ClaimedRun {
  return {
    id,
    leaseId: "lease",
    accountId: "account",
    actionId: "action",
    hookId: "hook",
    deliveryId: "delivery",
    attemptNumber: 1,
    attemptsBefore: 0,
    bodySize: 0,
    ...more,
  };
}

it("a body counts from the claim on, not only once it is loaded, until its run is done", () => {
  const held = new HeldRuns({ maxRuns: 10, maxBytes: 1_000 });
  const [first, second] = [claimed("a", { bodySize: 600 }), claimed("b", { bodySize: 300 })];
  held.add(first);
  held.add(second);
  expect([held.freeSlots, held.freeBytes]).toEqual([8, 100]);
  held.remove(first);
  held.remove(first);
  expect([held.freeSlots, held.freeBytes]).toEqual([9, 700]);
});

it("tells how many bytes each account has, and leaves out accounts without any", () => {
  const held = new HeldRuns({ maxRuns: 10, maxBytes: 1_000 });
  const first = claimed("a", { bodySize: 600 });
  for (const run of [first, claimed("b", { bodySize: 30 }), claimed("c", { accountId: "empty" })])
    held.add(run);
  expect(held.bytesByAccount()).toEqual(new Map([["account", 630]]));
  held.remove(first);
  expect(held.bytesByAccount()).toEqual(new Map([["account", 30]]));
});
