import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { ExactNumber, type JsonValue } from "#lib/schema/field/json-value.ts";
import { type RenderFailure, type RenderInput, renderString } from "./render-template.ts";

type OnFailure = (at: string, failure: RenderFailure) => void;

/**
 * JSON whose strings are templates, with their values, such as the body of a call or the data of an
 * event. Keys stay as they are. The depth was limited on save.
 *
 * @param at the path of the value in errors
 */
export function renderValue(
  value: unknown,
  at: string,
  render: RenderInput,
  onFailure: OnFailure,
): unknown {
  if (typeof value === "string") {
    const rendered = renderString(value, render);
    if (rendered.ok) return rendered.value;
    onFailure(at, rendered);
    return null;
  }
  if (Array.isArray(value))
    return value.map((item, index) => renderValue(item, `${at}[${index}]`, render, onFailure));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  // fromEntries keeps `__proto__` as a normal key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      renderValue(item, at === "" ? key : `${at}.${key}`, render, onFailure),
    ]),
  );
}

/** A rendered value as JSON text that keeps all digits. */
export function writeValue(value: unknown, render: RenderInput) {
  return stringifyExactJson(value, maxValueChars(render));
}

/** Reads what `writeValue` wrote. */
export function readValue(json: string): JsonValue {
  const parsed = parseExactJson(json);
  return parsed.ok ? parsed.value : null;
}

/**
 * Workers claim runs by payload size, so rendered text must stay in proportion: a template that
 * uses 10 kB a thousand times would make 10 MB per run. A form may take four times the payload.
 * Rendered text has its own limit.
 */
export function maxValueChars({ context }: RenderInput): number {
  return Math.min(1024 * 1024 + 4 * context.payloadChars, 16 * 1024 * 1024);
}
