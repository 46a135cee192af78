import { expect, it } from "vitest";
import type { Claim } from "#lib/db/queue/claimed-run.ts";
import { ActionQueueMemory } from "./action-queue-memory.ts";

const queue = (targetId: string) => ({ accountId: "account", targetId, floorMs: 1_000 });
const never = () => false;
const claim = (durationMs: number, ...targetIds: string[]): Claim => ({
  runs: [],
  queues: targetIds.map(queue),
  durationMs,
  hasMore: false,
});

it("every claim is a full one while that is cheap", () => {
  const memory = new ActionQueueMemory();
  expect(memory.choose(0)).toBeUndefined();
  memory.learn(claim(2, "a"), true, 0, never);
  expect(memory.choose(1)).toBeUndefined();
});

it("once full claims are expensive, claims known queues, and all queues after nine times that duration", () => {
  const memory = new ActionQueueMemory();
  memory.learn(claim(20, "a"), true, 0, never);
  memory.learn(claim(3, "b"), false, 10, never);
  expect(memory.choose(179)).toEqual([queue("a"), queue("b")]);
  expect(memory.choose(180)).toBeUndefined();
});

it("never waits longer than a second for a full claim", () => {
  const memory = new ActionQueueMemory();
  memory.learn(claim(5_000, "a"), true, 0, never);
  expect(memory.choose(1_000)).toBeUndefined();
});

it("forgets queues that had no runs for a while", () => {
  const memory = new ActionQueueMemory();
  memory.learn(claim(20, "old"), true, 0, never);
  memory.learn(claim(20, "new"), true, 20_000, never);
  expect(memory.choose(20_001)).toEqual([queue("new")]);
});

it("keeps a queue without new runs if its receiver never responds", () => {
  const memory = new ActionQueueMemory();
  memory.learn(claim(20, "hanging", "old"), true, 0, never);
  memory.learn(claim(20, "new"), true, 20_000, (targetId) => targetId === "hanging");
  expect(memory.choose(20_001)).toEqual([queue("hanging"), queue("new")]);
});
