import { expect, it } from "vitest";
import type { ClaimedActionRun } from "#lib/db/queue/claimed-run.ts";
import { InFlightRuns } from "./in-flight-runs.ts";

function claimed(id: string, more: Partial<ClaimedActionRun> = {}): ClaimedActionRun {
  return {
    id,
    leaseId: "lease",
    accountId: "account",
    targetId: "action",
    targetVersion: "1",
    kind: "action",
    hookId: "hook",
    deliveryId: "delivery",
    delivery: null,
    attemptNumber: 1,
    attemptsBefore: 0,
    retriedAtMs: null,
    bodySize: 0,
    breakers: [],
    isUnkeyed: false,
    isHandedOver: false,
    hasOwnId: false,
    isCrashCandidate: false,
    ...more,
  };
}

it("a body counts from the claim, not only once it is loaded, until its run is done", () => {
  const inFlight = new InFlightRuns({ maxRuns: 10, maxBytes: 1_000 });
  const [first, second] = [claimed("a", { bodySize: 600 }), claimed("b", { bodySize: 300 })];
  inFlight.add(first, 0);
  inFlight.add(second, 0);
  expect([inFlight.freeSlots, inFlight.freeBytes]).toEqual([8, 100]);
  inFlight.remove(first);
  inFlight.remove(first);
  expect([inFlight.freeSlots, inFlight.freeBytes]).toEqual([9, 700]);
});

it("what the steps of a run gave counts like its body, until it is done", () => {
  const inFlight = new InFlightRuns({ maxRuns: 10, maxBytes: 1_000 });
  const run = claimed("a", { bodySize: 100 });
  inFlight.add(run, 0);
  for (const bytes of [200, 500]) inFlight.keepResults(run, bytes);
  expect(inFlight.freeBytes).toBe(400);
  expect(inFlight.bytesByAccount()).toEqual(new Map([["account", 600]]));
  inFlight.remove(run);
  inFlight.keepResults(run, 900);
  expect(inFlight.freeBytes).toBe(1_000);
});

it("returns the bytes of each account and omits accounts without any", () => {
  const inFlight = new InFlightRuns({ maxRuns: 10, maxBytes: 1_000 });
  const first = claimed("a", { bodySize: 600 });
  for (const run of [first, claimed("b", { bodySize: 30 }), claimed("c", { accountId: "empty" })])
    inFlight.add(run, 0);
  expect(inFlight.bytesByAccount()).toEqual(new Map([["account", 630]]));
  inFlight.remove(first);
  expect(inFlight.bytesByAccount()).toEqual(new Map([["account", 30]]));
});

it("a crash candidate waits until the previous one has ended, or has been in flight for a second", () => {
  const inFlight = new InFlightRuns({ maxRuns: 10, maxBytes: 1_000 });
  inFlight.add(claimed("innocent"), 0);
  expect(inFlight.allowCrashCandidate(0)).toBe(true);
  const [first, second] = [
    claimed("a", { isCrashCandidate: true }),
    claimed("b", { isCrashCandidate: true }),
  ];
  inFlight.add(first, 100);
  expect([inFlight.allowCrashCandidate(1_099), inFlight.allowCrashCandidate(1_100)]).toEqual([
    false,
    true,
  ]);
  inFlight.add(second, 1_100);
  inFlight.remove(first);
  expect(inFlight.allowCrashCandidate(1_200)).toBe(false);
  inFlight.remove(second);
  expect(inFlight.allowCrashCandidate(1_200)).toBe(true);
});

it("knows which actions have runs in flight", () => {
  const inFlight = new InFlightRuns({ maxRuns: 10, maxBytes: 1_000 });
  const [first, second] = [claimed("a"), claimed("b")];
  inFlight.add(first, 0);
  inFlight.add(second, 0);
  inFlight.remove(first);
  inFlight.remove(first);
  expect(inFlight.hasRunOf("action")).toBe(true);
  inFlight.remove(second);
  expect(inFlight.hasRunOf("action")).toBe(false);
});
