import { type PathStep, readSteps, writePath } from "#lib/schema/field/value-path.ts";

/**
 * The name of a value in the payload or another root, as templates and filters read it: `data.object.email`,
 * `payload.items[0].id`, `payload["x y"]`.
 */
export function toTemplatePath(keys: readonly PathStep[], root = "payload"): string {
  const [first] = keys;
  const isShort = root === "payload" && typeof first === "string" && shortNames.has(first);
  return writePath(isShort ? keys : [...readSteps(root), ...keys]);
}

/** Names in templates that need no `payload.` prefix. */
const shortNames: ReadonlySet<string> = new Set(["id", "type", "data"]);
