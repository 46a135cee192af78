import { encodeFormText } from "#lib/core/mapping/template/encode-parts.ts";
import { isJsonObject } from "#lib/schema/field/json-value.ts";

type EncodedForm =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/**
 * Encodes an object as application/x-www-form-urlencoded: `a=1&tag=x&tag=y&card[number]=42`. Lists
 * repeat their name, nested objects use brackets, and null is empty. A list of objects is an error,
 * since it has no standard encoding. So is a text longer than `maxChars`.
 */
export function encodeForm(value: unknown, maxChars: number): EncodedForm {
  if (!isJsonObject(value))
    return { ok: false, message: "a form has to be an object with names and values" };
  const form: Form = { pairs: [], maxChars, left: maxChars };
  const problem = addObject(form, "", value, 1);
  return problem === null
    ? { ok: true, text: form.pairs.join("&") }
    : { ok: false, message: problem };
}

type Form = { readonly pairs: string[]; readonly maxChars: number; left: number };

function addObject(form: Form, prefix: string, object: object, depth: number): string | null {
  if (depth > 16) return "the form is nested deeper than 16 levels";
  for (const [key, item] of Object.entries(object)) {
    const name = prefix === "" ? key : `${prefix}[${key}]`;
    const problem = isJsonObject(item)
      ? addObject(form, name, item, depth + 1)
      : addValues(form, name, item);
    if (problem !== null) return problem;
  }
  return null;
}

function addValues(form: Form, name: string, value: unknown): string | null {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (Array.isArray(item) || isJsonObject(item))
      return `${name} is a list of objects or lists, which a form can't contain`;
    const text = item === null || item === undefined ? "" : String(item);
    if (!text.isWellFormed() || !name.isWellFormed())
      return `${name} contains half of a surrogate pair`;
    const pair = `${encodeFormText(name)}=${encodeFormText(text)}`;
    form.left -= pair.length + 1;
    if (form.left < 0) return `the form is longer than ${form.maxChars} characters`;
    form.pairs.push(pair);
  }
  return null;
}
