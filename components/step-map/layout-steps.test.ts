import { expect, test } from "vitest";
import { layoutSteps, type MapStep, type StepCell } from "./layout-steps.ts";

function step(key: string, more: Partial<MapStep> = {}): MapStep {
  const plain = { kind: "call", list: null, isConditional: false, onFailure: "stop" } as const;
  return { id: `step-${key}`, key, branch: [], ...plain, ...more };
}

/** `1 find →`, with the steps of a branch in brackets and the place where the run stopped. */
function draw(cells: readonly StepCell[]): string {
  return cells
    .map(({ step: { key }, number, branch, isReached, stop, hasNext, wentOn }) => {
      const inside = branch.length === 0 ? "" : ` [${draw(branch)}]`;
      const held = stop === null ? "" : ` (${stop})`;
      const line = hasNext ? (wentOn ? " →" : " ⇢") : "";
      return `${number} ${isReached ? key : `~${key}`}${inside}${held}${line}`;
    })
    .join(" ");
}

const tell = step("tell");

test("steps are in order, and a branch is below its step", () => {
  const ship = step("ship", { onFailure: "steps", branch: [tell, step("log")] });
  expect(draw(layoutSteps([step("find"), ship, step("pick")]))).toBe(
    "1 find → 2 ship [2.1 tell → 2.2 log] → 3 pick",
  );
});

test("a run that failed shows where, and what it never reached", () => {
  const steps = [
    step("find", { state: "succeeded" }),
    step("sell", { state: "failed" }),
    step("pick", { state: null }),
    step("mail", { state: null }),
  ];
  expect(draw(layoutSteps(steps))).toBe("1 find → 2 sell (Stopped here) ⇢ 3 ~pick ⇢ 4 ~mail");
});

test("a failure that a branch handles doesn't stop the run, and one in the branch does", () => {
  const run = (state: MapStep["state"] & string, pick: MapStep["state"] & string) => [
    step("ship", { state: "failed", onFailure: "steps", branch: [{ ...tell, state }] }),
    step("pick", { state: pick === "reset" ? null : pick }),
  ];
  expect(draw(layoutSteps(run("succeeded", "succeeded")))).toBe("1 ship [1.1 tell] → 2 pick");
  expect(draw(layoutSteps(run("failed", "reset")))).toBe(
    "1 ship [1.1 tell (Stopped here)] ⇢ 2 ~pick",
  );
});

test.for([
  ["unknown", "Held here: outcome unknown"],
  ["waiting", "Waits here"],
  ["retrying", "Retries here"],
  ["calling", "Runs now"],
] as const)("a run whose last step is %s is drawn as held", ([state, why]) => {
  expect(layoutSteps([step("a", { state })])[0]?.stop).toBe(why);
});

test("a failed last step stops nothing if the run continues after it", () => {
  const last = step("a", { state: "failed", onFailure: "continue" });
  expect(layoutSteps([last])[0]?.stop).toBeNull();
});
