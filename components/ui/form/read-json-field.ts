import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { describeJsonFault, findJsonFault } from "#lib/core/mapping/json/scan-json.ts";
import { findRepeatedName } from "#lib/core/mapping/json/walk-json.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";

type ReadJsonField =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Reads a field that holds JSON, and keeps all digits of numbers. The error says where it is
 * invalid, or which name an object has twice: only the last one would be saved.
 */
export function readJsonField(path: string, json: string): ReadJsonField {
  const parsed = parseExactJson(json);
  const name = parsed.ok ? findRepeatedName(json) : null;
  if (name !== null)
    return { ok: false, errors: [{ path, code: "duplicate", message: `has ${name} twice`, name }] };
  if (parsed.ok) return { ok: true, value: parsed.value };
  const fault = findJsonFault(json);
  const message = fault === null ? parsed.message : describeJsonFault(fault);
  return { ok: false, errors: [{ path, code: "invalid_json", message }] };
}
