import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { startsLikeXml } from "#lib/core/mapping/payload/decode-xml.ts";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { isSearchableName, maxNames, type PayloadSearch } from "./payload-search.ts";

/** The maximum number of fields that are indexed of one payload. */
export const maxFields = 500;
/** Longer values can't be searched: a search has at most so many characters. */
const maxValueChars = 1_024;

/**
 * The terms of a body, one for each value that `path = value` can find in it, and maybe more: what a
 * term finds is compared again. A body with more fields than are indexed, or which is nested too
 * deeply, also has the term of `cutTerm`.
 */
export function toFieldTerms(
  hookId: string,
  { body, contentType }: { readonly body: Uint8Array; readonly contentType: string | null },
): ReadonlySet<number> {
  const terms = new Set<number>();
  const add = (path: string, value: string) => {
    if (terms.size >= maxFields) return false;
    if (value.length <= maxValueChars) terms.add(toTerm(hookId, path, value));
    return true;
  };
  if (!addBody(body, contentType, add)) terms.add(cutTerm(hookId));
  return terms;
}

/** In lower case and at the start, because the search compares it so. */
const formType = "application/x-www-form-urlencoded";

/** @returns false: there is no room left */
type Add = (path: string, value: string) => boolean;

function addBody(body: Uint8Array, contentType: string | null, add: Add): boolean {
  if (contentType?.startsWith(formType)) return addForm(body, add);
  return startsLikeXml(body) ? addXml(body, contentType, add) : addJson(body, add);
}

function addXml(body: Uint8Array, contentType: string | null, add: Add): boolean {
  const payload = readPayload(body, contentType);
  return payload.kind !== "json" || addValue(payload.value, [], add);
}

function addForm(body: Uint8Array, add: Add): boolean {
  const fields = parseForm(Buffer.from(body).toString());
  return fields !== null && [...fields].every(([name, value]) => add(name, value));
}

function addJson(body: Uint8Array, add: Add): boolean {
  const text = readUtf8(body);
  if (text === null) return true;
  const parsed = parseExactJson(text);
  return parsed.ok ? addValue(parsed.value, [], add) : parsed.code === "invalid_json";
}

function addValue(value: unknown, path: readonly string[], add: Add): boolean {
  if (!isParent(value)) return path.length === 0 || add(path.join("."), String(value));
  if (path.length === maxNames) return true;
  return Object.entries(value).every(
    ([name, child]) => !isSearchableName(name) || addValue(child, [...path, name], add),
  );
}

/** Lists and objects. */
function isParent(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof ExactNumber);
}

/**
 * The terms of which a payload with the value has one. Null: values like this aren't indexed, such as
 * a whole object, or an index that PostgreSQL reads in more than one way.
 */
export function toSearchTerms(
  hookIds: readonly string[],
  { path, value }: PayloadSearch,
): readonly number[] | null {
  const isIndexed = (name: string) =>
    isSearchableName(name) && (isIndex(name) || !/^[+-]?\d+$/.test(name));
  if (/^[[{]/.test(value) || !path.every(isIndexed)) return null;
  const joined = path.join(".");
  return hookIds.flatMap((hookId) => [toTerm(hookId, joined, value), cutTerm(hookId)]);
}

function isIndex(name: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(name);
}

function toTerm(hookId: string, path: string, value: string): number {
  return mix(addText(addText(addText(offsetBasis, hookId), path), value));
}

/** The term of payloads that have fields without a term. They are found by reading them. */
function cutTerm(hookId: string): number {
  return mix(addText(offsetBasis, hookId));
}

/**
 * FNV-1a, with each character in two steps, and a separator. Payloads with the same term are read and
 * compared, so the worst that someone who makes them can do is a slow search in that hook.
 */
function addText(hash: number, text: string): number {
  let result = hash;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    result = Math.imul(result ^ (code & 0xff), prime);
    result = Math.imul(result ^ (code >> 8), prime);
  }
  return Math.imul(result ^ separator, prime);
}

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;
const separator = 0xff;

/** The last step of MurmurHash3: texts that differ in their end only differ in all bits. */
function mix(hash: number): number {
  let result = hash ^ (hash >>> 16);
  result = Math.imul(result, 0x85ebca6b);
  result = Math.imul(result ^ (result >>> 13), 0xc2b2ae35);
  return (result ^ (result >>> 16)) | 0;
}
