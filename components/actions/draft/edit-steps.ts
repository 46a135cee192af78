import { isStepKey, maxSteps } from "#lib/schema/act/step-limits.ts";
import type { RequestDraft } from "./request-draft.ts";
import { kindKeys, newStep, type StepDraft, type StepKind } from "./step-draft.ts";

type Steps = readonly StepDraft[];

type FoundStep = {
  readonly step: StepDraft;
  /** The path in API errors: `steps.0.onFailure.steps.1`. */
  readonly path: string;
  /** The position among its siblings. */
  readonly index: number;
  readonly siblings: Steps;
  /** The step whose failure it handles. Null: a step of the action itself. */
  readonly parent: StepDraft | null;
};

/** Every step in display order. The steps of a branch follow the one that may fail. */
export function listAllSteps(steps: Steps): readonly FoundStep[] {
  return steps.flatMap((step, index) => {
    const path = `steps.${index}`;
    const own: FoundStep = { step, path, index, siblings: steps, parent: null };
    if (step.onFailure !== "steps") return [own];
    const branch = step.branch.map((inner, at) => ({
      step: inner,
      path: `${path}.onFailure.steps.${at}`,
      index: at,
      siblings: step.branch,
      parent: step,
    }));
    return [own, ...branch];
  });
}

export function findStep(steps: Steps, id: number): FoundStep | undefined {
  return listAllSteps(steps).find(({ step }) => step.id === id);
}

/** The steps that have ended when this one begins, in order. */
export function listEarlierSteps(steps: Steps, id: number): Steps {
  const found = findStep(steps, id);
  if (found === undefined) return [];
  const before = found.siblings.slice(0, found.index);
  if (found.parent === null) return withBranches(before);
  const at = steps.indexOf(found.parent);
  return [...withBranches(steps.slice(0, at)), found.parent, ...before];
}

function withBranches(steps: Steps): Steps {
  return steps.flatMap((step) => (step.onFailure === "steps" ? [step, ...step.branch] : [step]));
}

export function hasRoom(steps: Steps): boolean {
  return listAllSteps(steps).length < maxSteps;
}

/** The step whose failure a new branch would handle: the expanded one, or the last. */
export function findBranchable(steps: Steps, openId: number | null): StepDraft | null {
  const open = steps.find(({ id, branch }) =>
    [id, ...branch.map((step) => step.id)].includes(openId ?? -1),
  );
  const step = open ?? steps.at(-1);
  return step === undefined || step.onFailure === "steps" ? null : step;
}

export function changeStep(
  steps: Steps,
  id: number,
  change: (step: StepDraft) => StepDraft,
): Steps {
  return steps.map((step) => {
    if (step.id === id) return change(step);
    if (!step.branch.some((inner) => inner.id === id)) return step;
    return { ...step, branch: changeStep(step.branch, id, change) };
  });
}

export type NewPlace = {
  /** The step whose failure the new one handles. Null: it is a step of the action itself. */
  readonly branchOf: number | null;
  /** The position among its siblings. Default: the last one. */
  readonly at?: number;
};

/** Adds a step. The first one of a branch begins it. */
export function addStep(
  steps: Steps,
  kind: StepKind,
  { branchOf, at }: NewPlace = { branchOf: null },
): { readonly steps: Steps; readonly id: number } {
  const id = nextId(steps);
  const added = newStep(kind, { id, key: unusedKey(kindKeys[kind], steps) });
  const insert = (siblings: Steps) => siblings.toSpliced(at ?? siblings.length, 0, added);
  if (branchOf === null) return { steps: insert(steps), id };
  const into = (step: StepDraft): StepDraft =>
    step.onFailure === "steps"
      ? { ...step, branch: insert(step.branch) }
      : { ...step, onFailure: "steps", branch: [added] };
  return { steps: changeStep(steps, branchOf, into), id };
}

/** Removes a step. A branch ends with its last one. */
export function removeStep(steps: Steps, id: number): Steps {
  return steps.flatMap((step) => {
    if (step.id === id) return [];
    const branch = step.branch.filter((inner) => inner.id !== id);
    const isOver = step.onFailure === "steps" && branch.length === 0;
    return [{ ...step, branch, onFailure: isOver ? "stop" : step.onFailure }];
  });
}

/** Inserts the copy right after the original. */
export function duplicateStep(
  steps: Steps,
  id: number,
): { readonly steps: Steps; readonly id: number } {
  const found = findStep(steps, id);
  if (found === undefined) return { steps, id };
  const copies: StepDraft[] = [];
  const copy = (step: StepDraft): StepDraft => {
    const key = unusedKey(step.name, steps, copies);
    const made = { ...step, id: nextId(steps) + copies.length, key, name: key };
    copies.push(made);
    return made;
  };
  const outer = copy(found.step);
  const renames = [[found.step.name, outer.name] as const];
  const branch = found.step.branch.map((inner) => {
    const made = copy(inner);
    renames.push([inner.name, made.name]);
    return made;
  });
  const whole = renames.reduce<StepDraft>((step, [from, to]) => renameIn(step, from, to), {
    ...outer,
    branch,
  });
  const insert = (siblings: Steps) => siblings.toSpliced(found.index + 1, 0, whole);
  if (found.parent === null) return { steps: insert(steps), id: whole.id };
  const into = (step: StepDraft): StepDraft => ({ ...step, branch: insert(step.branch) });
  return { steps: changeStep(steps, found.parent.id, into), id: whole.id };
}

/** Moves a step to another position among its siblings. */
export function moveStep(steps: Steps, id: number, to: number): Steps {
  const found = findStep(steps, id);
  if (found === undefined || to < 0 || to >= found.siblings.length) return steps;
  const move = (siblings: Steps) => siblings.toSpliced(found.index, 1).toSpliced(to, 0, found.step);
  if (found.parent === null) return move(steps);
  return changeStep(steps, found.parent.id, (step) => ({ ...step, branch: move(step.branch) }));
}

/**
 * Renames a step. Templates, filters, and code of other steps follow, once the typed key is valid.
 */
export function renameStep(steps: Steps, id: number, key: string): Steps {
  const typed = changeStep(steps, id, (step) => ({ ...step, key }));
  const found = findStep(steps, id);
  const isTaken = listAllSteps(steps).some(({ step }) => step.id !== id && step.name === key);
  if (found === undefined || isTaken || !isStepKey(key)) return typed;
  const { name } = found.step;
  return changeStep(
    typed.map((step) => renameIn(step, name, key)),
    id,
    (step) => ({ ...step, name: key }),
  );
}

/** Finds the step with an error, so that its fields can be shown and marked. */
export function findInvalidStep(
  steps: Steps,
  errors: readonly { readonly path: string }[],
): number | null {
  const found = listAllSteps(steps)
    .filter(({ path }) => errors.some((error) => error.path.startsWith(`${path}.`)))
    // A step of a branch comes before the one whose failure it handles, because its path is longer.
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  return found?.step.id ?? null;
}

export function changeRequest(steps: Steps, id: number, change: Partial<RequestDraft>): Steps {
  return changeStep(steps, id, (step) => {
    const { work } = step;
    if (work.kind !== "call") return step;
    return { ...step, work: { ...work, request: { ...work.request, ...change } } };
  });
}

/**
 * Renames in every text of the step except its credentials. Values that start with `steps.` are
 * references.
 */
function renameIn<Value>(value: Value, from: string, to: string): Value {
  if (from === to) return value;
  const reference = new RegExp(
    `(?<![\\w.$\\]])(steps(?:\\.|\\[\\\\?["']))${from}(?![A-Za-z0-9_])`,
    "g",
  );
  const replace = (each: unknown): unknown => {
    if (typeof each === "string") return each.replace(reference, `$1${to}`);
    if (Array.isArray(each)) return each.map(replace);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, inner]) => [name, name === "auth" ? inner : replace(inner)]),
    );
  };
  return replace(value) as Value;
}

function nextId(steps: Steps): number {
  return Math.max(-1, ...steps.flatMap((step) => [step, ...step.branch]).map(({ id }) => id)) + 1;
}

/** The key itself, or with the first number that no step has. */
export function unusedKey(wanted: string, steps: Steps, others: Steps = []): string {
  const all = [...steps.flatMap((step) => [step, ...step.branch]), ...others];
  const taken = new Set(all.flatMap(({ key, name }) => [key, name]));
  const base = wanted.replace(/_\d+$/, "");
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}
