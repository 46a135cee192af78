import { shorten } from "#lib/base/shorten.ts";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import { isSensitiveName, redactUrl } from "#lib/core/people/redact/redact-request.ts";
import { redactionMark, redactText } from "#lib/core/people/redact/redact-text.ts";
import { ExactNumber, type JsonValue } from "#lib/schema/field/json-value.ts";

/** A value that differs, as text without secrets. Null: the value is missing. */
type Change = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

type Comparison = { readonly changes: readonly Change[]; readonly moreChanges: number };

/** Larger bodies are compared as bytes. */
const maxJsonBytes = 64 * 1024;
const maxValues = 5_000;
const maxChanges = 50;
const maxShownChars = 300;

/**
 * The differences between two requests: method, URL, headers by name, and a JSON body value by
 * value. Compares what would be sent, and shows it without secrets, so a changed credential is a
 * change between two redacted values. `ignored` are header names in lower case.
 */
export function compareRequests(
  before: OutgoingRequest | null,
  after: OutgoingRequest | null,
  secrets: readonly string[],
  ignored: ReadonlySet<string> = new Set(),
): Comparison {
  const bodies = readBodies(before?.body ?? null, after?.body ?? null);
  const old: Body = before === null ? new Map() : listValues(before, bodies.before, ignored);
  const now: Body = after === null ? new Map() : listValues(after, bodies.after, ignored);
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  const changed = paths
    .filter((path) => old.get(path) !== now.get(path))
    .filter((path) => !isFilled(path, old, now) && !isFilled(path, now, old));
  const show = (path: string, text: string | undefined) =>
    text === undefined ? null : showValue(path, text, secrets);
  const changes = changed.slice(0, maxChanges).map((path) => ({
    path: shorten(redactText(path, secrets), maxShownChars),
    before: show(path, old.get(path)),
    after: show(path, now.get(path)),
  }));
  return { changes, moreChanges: changed.length - changes.length };
}

/** An empty object or list that has values on the other side, which are listed themselves. */
function isFilled(
  path: string,
  empty: ReadonlyMap<string, string>,
  filled: ReadonlyMap<string, string>,
): boolean {
  const value = empty.get(path);
  if (filled.has(path) || (value !== "{}" && value !== "[]")) return false;
  return filled.keys().some((other) => other.startsWith(`${path}.`));
}

type Body = ReadonlyMap<string, string>;

function listValues(
  { method, url, headers }: OutgoingRequest,
  body: Body,
  ignored: ReadonlySet<string>,
): Map<string, string> {
  const values = new Map([
    ["method", method],
    ["url", url],
  ]);
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (ignored.has(lower)) continue;
    const known = values.get(`headers.${lower}`);
    values.set(`headers.${lower}`, known === undefined ? value : `${known}, ${value}`);
  }
  for (const [path, text] of body) values.set(path, text);
  return values;
}

/** Reads both bodies in the same form, so that they can be compared. */
function readBodies(before: Uint8Array | null, after: Uint8Array | null) {
  if (before !== null && after !== null && Buffer.compare(before, after) === 0)
    return { before: new Map(), after: new Map() };
  const old = before === null ? new Map<string, string>() : readJsonBody(before);
  const now = after === null ? new Map<string, string>() : readJsonBody(after);
  if (old !== null && now !== null) return { before: old, after: now };
  return { before: readPlainBody(before, after), after: readPlainBody(after, before) };
}

/** Null: the body isn't JSON, or is too large. */
function readJsonBody(bytes: Uint8Array): Map<string, string> | null {
  if (bytes.byteLength > maxJsonBytes) return null;
  const text = readUtf8(bytes);
  const parsed = text === null ? null : parseExactJson(text);
  if (parsed?.ok !== true) return null;
  const values = new Map<string, string>();
  return addValues(values, "body", parsed.value) ? values : null;
}

/** False: too many values. */
function addValues(values: Map<string, string>, path: string, value: JsonValue): boolean {
  if (values.size >= maxValues) return false;
  if (value === null || typeof value !== "object" || value instanceof ExactNumber) {
    values.set(path, typeof value === "string" ? JSON.stringify(value) : String(value));
    return true;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) values.set(path, Array.isArray(value) ? "[]" : "{}");
  return entries.every(([key, inner]) => addValues(values, `${path}.${key}`, inner));
}

function readPlainBody(bytes: Uint8Array | null, other: Uint8Array | null): Body {
  if (bytes === null) return new Map();
  const text = readUtf8(bytes.subarray(0, maxJsonBytes)) ?? "";
  const isShort = text !== "" && bytes.byteLength <= maxShownChars;
  if (isShort || (other === null && text !== "")) return new Map([["body", text]]);
  // Shows the first difference with some text before it.
  const at = other === null ? 0 : findDifference(bytes, other);
  const start = Math.max(0, at - 40);
  const excerpt = Buffer.from(bytes.subarray(start, start + maxShownChars)).toString("utf8");
  return new Map([["body", `${bytes.byteLength} bytes, from byte ${start}: ${excerpt}`]]);
}

function findDifference(one: Uint8Array, other: Uint8Array): number {
  const end = Math.min(one.byteLength, other.byteLength);
  for (let at = 0; at < end; at += 1) if (one[at] !== other[at]) return at;
  return end;
}

function showValue(path: string, text: string, secrets: readonly string[]): string {
  if (path === "url") return shorten(redactUrl(text, secrets), maxShownChars);
  if (path.startsWith("headers.") && isSensitiveName(path.slice("headers.".length)))
    return redactionMark;
  return shorten(redactText(text, secrets), maxShownChars);
}
