import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { MappingContext } from "#lib/core/mapping/template/mapping-context.ts";
import { compareNumbers, ExactNumber } from "#lib/schema/field/json-value.ts";
import { transformLimits } from "./transform.ts";

/** The input as JSON text. */
export type TransformInputText = {
  readonly json: string;
  /**
   * The key of the objects in `json` that replace numbers that JavaScript can't hold, with the
   * digits as text. Null: there are none. No other object has the key.
   */
  readonly exactKey: string | null;
};

/**
 * The `delivery` of a transform, with the names that templates can use. A body that isn't data is
 * `rawBody`.
 */
export function toTransformDelivery({ names }: MappingContext): Readonly<Record<string, unknown>> {
  const { delivery, headers, query, path, method, hook, payload } = names;
  const body = payload === undefined ? { rawBody: names.rawBody ?? null } : { payload };
  return { ...(delivery as object), headers, query, path, method, hook, ...body };
}

/** Null: the input is too large. */
export function writeTransformInput(input: {
  readonly delivery: unknown;
  readonly steps: unknown;
}): TransformInputText | null {
  const written = stringifyExactJson(input, transformLimits.inputChars);
  if (!written.ok) return null;
  if (!holdsExactNumber(input)) return { json: written.text, exactKey: null };
  const exactKey = findFreeKey(written.text);
  const marked = stringifyExactJson(markNumbers(input, exactKey), transformLimits.inputChars);
  return marked.ok ? { json: marked.text, exactKey } : null;
}

/**
 * True for a number whose value differs from JavaScript's number. 1.10 equals 1.1, so it doesn't
 * count.
 */
function isInexact(value: ExactNumber): boolean {
  return compareNumbers(value, value.valueOf()) !== 0;
}

function holdsExactNumber(value: unknown): boolean {
  if (value instanceof ExactNumber) return isInexact(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsExactNumber);
}

function markNumbers(value: unknown, key: string): unknown {
  if (value instanceof ExactNumber) return isInexact(value) ? { [key]: value.toString() } : value;
  if (Array.isArray(value)) return value.map((item) => markNumbers(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, markNumbers(item, key)]),
  );
}

function findFreeKey(text: string): string {
  let key = "$exact";
  for (let number = 1; text.includes(key); number += 1) key = `$exact${number}`;
  return key;
}
