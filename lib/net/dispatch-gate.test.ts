import { expect, it } from "vitest";
import { DispatchGate } from "./dispatch-gate.ts";

it("dispatches the first calls at once and the others in order as calls start, separately for each origin", () => {
  const gate = new DispatchGate(2);
  const gone: string[] = [];
  const enter = (origin: string, name: string) => gate.enter(origin, () => gone.push(name));
  expect([
    enter("a", "1"),
    enter("a", "2"),
    enter("a", "3"),
    enter("a", "4"),
    enter("b", "5"),
  ]).toEqual([true, true, false, false, true]);
  expect(gone).toEqual(["1", "2", "5"]);
  gate.started("a");
  expect(gone).toEqual(["1", "2", "5", "3"]);
  gate.started("a");
  gate.started("a");
  gate.started("a");
  expect(gone).toEqual(["1", "2", "5", "3", "4"]);
  expect(enter("a", "6")).toBe(true);
});

it("a call that has left is never dispatched", () => {
  const gate = new DispatchGate(1);
  const gone: string[] = [];
  const second = () => gone.push("2");
  gate.enter("a", () => gone.push("1"));
  gate.enter("a", second);
  gate.enter("a", () => gone.push("3"));
  gate.leave("a", second);
  gate.started("a");
  expect(gone).toEqual(["1", "3"]);
});

it("thousands of calls that fail at once don't exhaust the stack", () => {
  const gate = new DispatchGate(1);
  let gone = 0;
  gate.enter("a", () => {});
  for (let index = 0; index < 50_000; index += 1) {
    gate.enter("a", () => {
      gone += 1;
      gate.started("a");
    });
  }
  gate.started("a");
  expect(gone).toBe(50_000);
});
