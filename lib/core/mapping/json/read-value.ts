import type { PathStep } from "#lib/schema/field/value-path.ts";

/**
 * Follows one step of a path: an own property of plain data, an item of a list, `size`, `first`, and `last` of a
 * list, and `size` of a text. No method is called, and no prototype read. Undefined: missing.
 */
export function readStep(owner: unknown, step: PathStep): unknown {
  if (owner === null || owner === undefined) return undefined;
  if (Array.isArray(owner)) return readItem(owner, step);
  if (typeof owner === "string") return step === "size" ? owner.length : undefined;
  if (typeof owner !== "object") return undefined;
  return Object.hasOwn(owner, step) ? Reflect.get(owner, step) : undefined;
}

/** The value at the end of a path. Undefined: missing. */
export function readValueAt(value: unknown, steps: readonly PathStep[]): unknown {
  return steps.reduce(readStep, value);
}

/** The index that a step names in a list, negative from its end. Undefined: none. */
export function toIndex(step: PathStep): number | undefined {
  if (step === "first") return 0;
  if (step === "last") return -1;
  if (typeof step === "string" && !/^-?\d+$/.test(step)) return undefined;
  return Number.isInteger(Number(step)) ? Number(step) : undefined;
}

function readItem(list: readonly unknown[], step: PathStep): unknown {
  if (step === "size") return list.length;
  const index = toIndex(step);
  return index === undefined ? undefined : list.at(index);
}

/**
 * The steps with the names of headers in lower case, as they are read: `headers["X-Topic"]`, and
 * `steps.find.headers["X-Id"]`.
 */
export function foldHeaderNames(steps: readonly PathStep[]): readonly PathStep[] {
  const at =
    steps[0] === "headers" ? 1 : steps[0] === "steps" ? steps.indexOf("headers", 2) + 1 : 0;
  const name = steps[at];
  if (at === 0 || typeof name !== "string") return steps;
  return steps.with(at, name.toLowerCase());
}
