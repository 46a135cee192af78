import { encodeFormText } from "#lib/core/template/encode-parts.ts";
import { ExactNumber } from "#lib/schema/json-value.ts";

export type EncodedForm =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

const maxFormChars = 16 * 1024 * 1024;

/**
 * An object as application/x-www-form-urlencoded: `a=1&tag=x&tag=y&card[number]=42`. A list repeats its name, an object in an object
 * goes into brackets, null is empty. A list of objects has no agreed form and is an error.
 */
export function encodeForm(value: unknown): EncodedForm {
  if (!isObject(value)) return { ok: false, message: "a form is made of an object with names and values" };
  const pairs: string[] = [];
  const problem = addObject(pairs, "", value, 1);
  if (problem !== null) return { ok: false, message: problem };
  const text = pairs.join("&");
  return text.length > maxFormChars ? { ok: false, message: "the form is too large" } : { ok: true, text };
}

function addObject(pairs: string[], prefix: string, object: object, depth: number): string | null {
  if (depth > 16) return "the form is nested deeper than 16 levels";
  for (const [key, item] of Object.entries(object)) {
    const name = prefix === "" ? key : `${prefix}[${key}]`;
    const problem = isObject(item) ? addObject(pairs, name, item, depth + 1) : addValues(pairs, name, item);
    if (problem !== null) return problem;
  }
  return null;
}

function addValues(pairs: string[], name: string, value: unknown): string | null {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (Array.isArray(item) || isObject(item))
      return `${name} is a list of objects or lists, which a form can't hold`;
    const text = item === null || item === undefined ? "" : String(item);
    if (!text.isWellFormed() || !name.isWellFormed()) return `${name} holds half of a surrogate pair`;
    pairs.push(`${encodeFormText(name)}=${encodeFormText(text)}`);
  }
  return null;
}

function isObject(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
