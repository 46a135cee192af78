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
    isSuspect: false,
    ...more,
  };
}

it("a body counts from the claim on, not only once it is loaded, until its run is done", () => {
  const held = new HeldRuns({ maxRuns: 10, maxBytes: 1_000 });
  const [first, second] = [claimed("a", { bodySize: 600 }), claimed("b", { bodySize: 300 })];
  held.add(first, 0);
  held.add(second, 0);
  expect([held.freeSlots, held.freeBytes]).toEqual([8, 100]);
  held.remove(first);
  held.remove(first);
  expect([held.freeSlots, held.freeBytes]).toEqual([9, 700]);
});

it("tells how many bytes each account has, and leaves out accounts without any", () => {
  const held = new HeldRuns({ maxRuns: 10, maxBytes: 1_000 });
  const first = claimed("a", { bodySize: 600 });
  for (const run of [first, claimed("b", { bodySize: 30 }), claimed("c", { accountId: "empty" })])
    held.add(run, 0);
  expect(held.bytesByAccount()).toEqual(new Map([["account", 630]]));
  held.remove(first);
  expect(held.bytesByAccount()).toEqual(new Map([["account", 30]]));
});

it("a suspect waits until the one before it has ended, or has been called for a second", () => {
  const held = new HeldRuns({ maxRuns: 10, maxBytes: 1_000 });
  held.add(claimed("innocent"), 0);
  expect(held.takesSuspect(0)).toBe(true);
  const [first, second] = [claimed("a", { isSuspect: true }), claimed("b", { isSuspect: true })];
  held.add(first, 100);
  expect([held.takesSuspect(1_099), held.takesSuspect(1_100)]).toEqual([false, true]);
  held.add(second, 1_100);
  held.remove(first);
  expect(held.takesSuspect(1_200)).toBe(false);
  held.remove(second);
  expect(held.takesSuspect(1_200)).toBe(true);
});

it("knows of which actions it holds runs", () => {
  const held = new HeldRuns({ maxRuns: 10, maxBytes: 1_000 });
  const [first, second] = [claimed("a"), claimed("b")];
  held.add(first, 0);
  held.add(second, 0);
  held.remove(first);
  held.remove(first);
  expect(held.holdsRunOf("action")).toBe(true);
  held.remove(second);
  expect(held.holdsRunOf("action")).toBe(false);
});
