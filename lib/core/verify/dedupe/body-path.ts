import { readValueAt } from "#lib/core/mapping/json/read-value.ts";
import { type PathStep, readSteps } from "#lib/schema/field/value-path.ts";

/**
 * The steps of a rule's path in a body. Templates and filters call the body `payload`, so a path may begin
 * with it, unless the body has a field of that name.
 */
export function toBodySteps(path: string, body: unknown): readonly PathStep[] {
  const steps = readSteps(path);
  if (steps[0] !== "payload" || steps.length === 1) return steps;
  const isField = typeof body === "object" && body !== null && Object.hasOwn(body, "payload");
  return isField ? steps : steps.slice(1);
}

/**
 * The value at a rule's path. Undefined: missing. A list has a `size`, which handshakes that older versions
 * stored call `length`.
 */
export function readPath(body: unknown, path: string): unknown {
  const steps = toBodySteps(path, body);
  const value = readValueAt(body, steps);
  if (value !== undefined || steps.at(-1) !== "length") return value;
  const list = readValueAt(body, steps.slice(0, -1));
  return Array.isArray(list) ? list.length : undefined;
}

/**
 * The name of a path in the hash of an identity. It is the same however the path is written, and that of older
 * versions, which stored names between dots.
 */
export function nameInHash(path: string): string {
  const steps = readSteps(path);
  return steps.some((step) => String(step).includes(".")) ? JSON.stringify(steps) : steps.join(".");
}
