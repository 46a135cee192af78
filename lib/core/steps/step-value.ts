import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** A rendered value, from its JSON text. */
export function readStepValue(json: string): JsonValue {
  const parsed = parseExactJson(json);
  return parsed.ok ? parsed.value : null;
}
