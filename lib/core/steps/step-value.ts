import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import type { ActionRequestTemplate } from "#lib/schema/action/action-request.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/**
 * JSON whose strings are templates, as the body of a request that is never sent: it has the same
 * limits as one that is. `readStepValue` reads what it was rendered to.
 */
export function toValueRequest(body: JsonValue): ActionRequestTemplate {
  return {
    method: "POST",
    url: "https://unsent.invalid/",
    headers: {},
    query: {},
    body,
    bodyText: null,
    forward: null,
  };
}

export function readStepValue(bytes: Uint8Array): JsonValue {
  const parsed = parseExactJson(Buffer.from(bytes).toString("utf8"));
  return parsed.ok ? parsed.value : null;
}
