import { type Candidate, toMajor, type Wanted } from "./conversions.ts";
import { dateFormats, isDateSource } from "./date-formats.ts";
import { splitName } from "./name-similarity.ts";
import { isNumeric } from "./scalar.ts";
import type { SourceLeaf } from "./source-leaves.ts";

/**
 * The ways to fill a field from a leaf with another value, because the example is of another
 * customer. Names decide which leaf it is, and the look of both values decides the conversion.
 */
export function listSimilar(
  wanted: Wanted,
  names: readonly string[],
  leaf: SourceLeaf,
): Candidate[] {
  const { text } = wanted;
  const { path, text: from } = leaf;
  const found: Candidate[] = [];
  const add = (filters: string, why: string, score = 0) =>
    found.push({ template: `{{ ${path}${filters === "" ? "" : ` | ${filters}`} }}`, why, score });
  const isDate = isDateSource(from);
  for (const { pattern, filters, isNumber = false } of dateFormats) {
    const isKind = (wanted.isTyped && isNumeric(wanted.value)) === isNumber;
    if (isDate && isKind && pattern.test(text)) add(filters, "written as in the example");
  }
  const part = splitName(names.at(-1) ?? "").find(
    (word) => word === "firstname" || word === "lastname",
  );
  if (part !== undefined && /^\S+ .*\S+$/.test(from) && !/[@\d]/.test(from))
    add(
      part === "firstname" ? 'split: " " | first' : 'split: " " | last',
      part === "firstname" ? "the first word" : "the last word",
    );
  if (classOf(text) !== classOf(from)) return found;
  if (
    /\d\.\d{1,2}$/.test(text) &&
    /^\d{3,12}$/.test(from) &&
    /amount|price|total|cents/.test([...names, path].join(" "))
  )
    found.push({ ...toMajor(path, text), why: "cents as an amount", score: 2 });
  if (/^\d{3,12}$/.test(text) && /^\d+\.\d\d$/.test(from))
    add("times: 100", "the amount in cents", 2);
  if (wanted.isTyped && isNumeric(wanted.value) && typeof leaf.value === "string")
    add("plus: 0", "as a number");
  else if (wanted.isTyped && typeof wanted.value === "string" && isNumeric(leaf.value))
    add('append: ""', "as text");
  else add("", "another value");
  return found;
}

/**
 * The class of a value by its look. Two values of different classes are not the same field,
 * whatever their names.
 */
export function classOf(text: string): string {
  if (/^(?:true|false)$/.test(text)) return "boolean";
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return "number";
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return "email";
  if (/^https?:\/\//i.test(text)) return "url";
  if (isDateSource(text) || dateFormats.some(({ pattern }) => pattern.test(text))) return "date";
  if (/^\+?[\d ()/-]{7,}$/.test(text)) return "phone";
  return "text";
}
