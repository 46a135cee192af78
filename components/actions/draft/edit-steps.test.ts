import { expect, test } from "vitest";
import {
  addStep,
  changeStep,
  duplicateStep,
  findBranchable,
  findInvalidStep,
  listAllSteps,
  listEarlierSteps,
  moveStep,
  removeStep,
  renameStep,
} from "./edit-steps.ts";
import { newStep, readStepDraft, type StepDraft } from "./step-draft.ts";

const transform = (code: string): StepDraft["work"] => ({ kind: "transform", code });

/** find, shape (with two steps if it fails), send */
function makeSteps(): readonly StepDraft[] {
  const find = newStep("call", { id: 0, key: "find" });
  const shape: StepDraft = {
    ...newStep("transform", { id: 1, key: "shape" }),
    work: transform("export default (delivery, steps) => steps.find.body.id"),
    onFailure: "steps",
    branch: [
      { ...newStep("transform", { id: 2, key: "tell" }), work: transform("steps.shape.error") },
      newStep("delay", { id: 3, key: "wait" }),
    ],
  };
  return [find, shape, newStep("publish", { id: 4, key: "send" })];
}

const keysOf = (steps: readonly StepDraft[]) => listAllSteps(steps).map(({ step }) => step.key);

test("a step can use those that have ended before it, and in a branch the one that failed", () => {
  const earlier = (id: number) => listEarlierSteps(makeSteps(), id).map(({ key }) => key);
  expect(earlier(0)).toEqual([]);
  expect(earlier(1)).toEqual(["find"]);
  expect(earlier(3)).toEqual(["find", "shape", "tell"]);
  expect(earlier(4)).toEqual(["find", "shape", "tell", "wait"]);
});

test("references follow a new key in templates, filters, code, and branches, and no other text does", () => {
  const [find, shape, send] = makeSteps();
  if (find === undefined || shape === undefined || send === undefined) throw new Error("no steps");
  const data = '{"a": "{{ steps.find.body.id }}", "b": "{{ steps[\\"find\\"].status }}"}';
  const other = "{{ data.steps.find }} {{ steps.finder.body }} myself.steps.find";
  const work = {
    kind: "publish" as const,
    type: "a.{{steps.find.body.x}}",
    recipient: other,
    data,
  };
  const when = {
    mode: "rows" as const,
    match: "all" as const,
    rows: [{ key: 0, path: "steps.find.status", op: "equals" as const, value: "200" }],
    json: "",
  };
  const steps = renameStep([find, shape, { ...send, work, when }], 0, "lookup");
  expect(keysOf(steps)).toEqual(["lookup", "shape", "tell", "wait", "send"]);
  expect(steps[1]?.work).toEqual(
    transform("export default (delivery, steps) => steps.lookup.body.id"),
  );
  expect(steps[2]?.when.rows[0]?.path).toBe("steps.lookup.status");
  expect(steps[2]?.work).toEqual({
    ...work,
    type: "a.{{steps.lookup.body.x}}",
    data: '{"a": "{{ steps.lookup.body.id }}", "b": "{{ steps[\\"lookup\\"].status }}"}',
  });
});

test("an invalid or taken key changes no reference until it is valid", () => {
  const typed = renameStep(renameStep(makeSteps(), 0, "shape"), 0, "Not valid");
  expect(typed[0]).toMatchObject({ key: "Not valid", name: "find" });
  expect(typed[1]?.work).toEqual(makeSteps()[1]?.work);
  expect(renameStep(typed, 0, "look")[1]?.work).toMatchObject({
    code: "export default (delivery, steps) => steps.look.body.id",
  });
});

test("steps are added with unused keys, moved among their siblings, and removed", () => {
  const added = addStep(makeSteps(), "delay", { branchOf: 1 });
  expect(keysOf(added.steps)).toEqual(["find", "shape", "tell", "wait", "wait_2", "send"]);
  const moved = moveStep(moveStep(added.steps, added.id, 0), 0, 2);
  expect(keysOf(moved)).toEqual(["shape", "wait_2", "tell", "wait", "send", "find"]);
  const left = removeStep(removeStep(moved, added.id), 4);
  expect(keysOf(left)).toEqual(["shape", "tell", "wait", "find"]);
  const first = addStep(left, "call", { branchOf: null, at: 0 });
  expect(keysOf(first.steps)).toEqual(["call", "shape", "tell", "wait", "find"]);
});

test("a branch begins with its first step, and ends with its last", () => {
  const { steps, id } = addStep(makeSteps(), "call", { branchOf: 0 });
  expect([keysOf(steps)[1], steps[0]?.onFailure]).toEqual(["call", "steps"]);
  expect(removeStep(steps, id)[0]).toMatchObject({ onFailure: "stop", branch: [] });
  expect([0, 2, 4, null].map((open) => findBranchable(makeSteps(), open)?.key ?? null)).toEqual([
    ...["find", null, "send", "send"],
  ]);
});

test("a copy has keys of its own, in its branch too, which use each other", () => {
  const { steps, id } = duplicateStep(makeSteps(), 1);
  expect(keysOf(steps)).toEqual([
    "find",
    "shape",
    "tell",
    "wait",
    "shape_2",
    "tell_2",
    "wait_2",
    "send",
  ]);
  const copy = listAllSteps(steps).find(({ step }) => step.id === id)?.step;
  expect(copy?.branch[0]?.work).toEqual(transform("steps.shape_2.error"));
  const ids = listAllSteps(steps).map(({ step }) => step.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an error opens the step that it is of, not the one around it", () => {
  const errors = [{ path: "steps.1.onFailure.steps.0.code" }];
  expect(findInvalidStep(makeSteps(), errors)).toBe(2);
  expect(findInvalidStep(makeSteps(), [{ path: "name" }])).toBeNull();
});

test("a step as the API takes it has only what differs from the defaults", () => {
  const [find, shape] = makeSteps();
  if (find === undefined || shape === undefined) throw new Error("no steps");
  const each = changeStep([find], 0, (step) => ({
    ...step,
    forEach: { path: "data.items", parallel: "3" },
    onFailure: "continue",
  }))[0];
  const read = (step: StepDraft | undefined) =>
    step === undefined ? null : readStepDraft(step, "steps.0", []);
  expect(read(each)).toMatchObject({
    key: "find",
    kind: "call",
    forEach: { path: "data.items", parallel: 3 },
    onFailure: "continue",
  });
  expect(read(shape)).toEqual({
    key: "shape",
    kind: "transform",
    code: "export default (delivery, steps) => steps.find.body.id",
    onFailure: {
      steps: [
        { key: "tell", kind: "transform", code: "steps.shape.error" },
        { key: "wait", kind: "delay", ms: 60_000 },
      ],
    },
  });
});
