import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { decodeByBytes } from "#lib/core/mapping/payload/decode-text.ts";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import { type Payload, readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { maxErasedChars, minErasedChars } from "#lib/schema/account/erasure-places.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";
import { plainText } from "./plain-text.ts";

/** A delivery or an event, as it is stored. */
export type Arrived = {
  /** Columns, and the values of headers. */
  readonly texts: readonly string[];
  /** The query of a URL, without `?`. */
  readonly query: string;
  readonly body: Uint8Array;
  readonly contentType: string | null;
};

/** The values of one delivery or event that are compared with rules. */
export const maxArrivedValues = 10_000;
/** The words of a value within a longer text. `jo.doe@example.com` has four. */
const maxWords = 8;
/** The start of a longer text in which words are looked for. */
const maxTextChars = 256 * 1024;

/**
 * Lists what may be a person's value: each whole field of a payload, a query, and headers, and each run of up to
 * eight words in a longer text, without what stands around it. It follows `toPatternSource`, which says where a
 * value begins and ends, so that an erasure finds what is found here. Whole fields come first, and nothing
 * beyond `maxArrivedValues` is listed.
 */
export function listArrivedValues(arrived: Arrived): ReadonlySet<string> {
  const fields = listFields(arrived);
  const values = new Set<string>();
  for (const field of fields) add(values, field.trim());
  for (const field of fields) addRuns(values, field.slice(0, maxTextChars));
  return values;
}

function add(values: Set<string>, value: string): void {
  const isLong = value.length >= minErasedChars && value.length <= maxErasedChars;
  if (isLong && values.size < maxArrivedValues) values.add(value);
}

function listFields({ texts, query, body, contentType }: Arrived): readonly string[] {
  const fields = new Set<string>();
  for (const text of [...texts, query]) fields.add(text);
  for (const text of (parseForm(query) ?? new URLSearchParams()).entries())
    for (const part of text) fields.add(part);
  const payload = readPayload(body, contentType);
  if (payload.kind !== "none") addLeaves(fields, readExact(payload));
  // Files of a form aren't part of its payload.
  const isWhole = payload.kind !== "none" && !/^\s*multipart\//i.test(contentType ?? "");
  if (!isWhole && body.byteLength > 0) for (const line of linesOf(body)) fields.add(line);
  for (const field of [...fields]) fields.add(plainText(field));
  return [...fields];
}

/** With the digits of numbers. */
function readExact(payload: Exclude<Payload, { readonly kind: "none" }>): unknown {
  const parsed = payload.text === null ? null : parseExactJson(payload.text);
  return parsed?.ok === true ? parsed.value : payload.value;
}

function linesOf(body: Uint8Array): readonly string[] {
  return decodeByBytes(body.subarray(0, maxTextChars * 4)).split(/[\r\n]+/);
}

/** Names are fields too: some programs use an address as one. */
function addLeaves(fields: Set<string>, payload: unknown): void {
  const rest = [payload];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === "string") fields.add(value);
    else if (typeof value === "number" || value instanceof ExactNumber) fields.add(String(value));
    else if (typeof value === "object" && value !== null)
      for (const [name, child] of Object.entries(value)) {
        if (!Array.isArray(value)) fields.add(name);
        rest.push(child);
      }
  }
}

type Word = { readonly from: number; readonly to: number };

function addRuns(values: Set<string>, text: string): void {
  addRunsOf(values, text, /[\p{L}\p{N}\p{M}]+/gu);
  // An erasure finds `jo@example.com` between other letters than those of ASCII.
  if (/[^\p{ASCII}]/u.test(text)) addRunsOf(values, text, /[A-Za-z0-9]+/g);
}

function addRunsOf(values: Set<string>, text: string, pattern: RegExp): void {
  const recent: Word[] = [];
  for (const { index, 0: word } of text.matchAll(pattern)) {
    if (values.size >= maxArrivedValues) return;
    recent.push({ from: index, to: index + word.length });
    if (recent.length > maxWords) recent.shift();
    for (const { from } of recent) addRun(values, text, { from, to: index + word.length });
  }
}

function addRun(values: Set<string>, text: string, { from, to }: Word): void {
  const run = text.slice(from, to);
  if (run.includes("@") && isWithinAddress(text, { from, to })) return;
  add(values, run);
  const before = text.charAt(from - 1);
  // How a phone number or a name in a network begins.
  if (/[+@#]/.test(before)) add(values, before + run);
}

/** True of `jo.doe@example.com` in `mary.jo.doe@example.com`, or in `jo.doe@example.com.au`. */
function isWithinAddress(text: string, { from, to }: Word): boolean {
  return (
    /[A-Za-z0-9][._-]$/.test(text.slice(Math.max(0, from - 2), from)) ||
    /^[.-][A-Za-z0-9]/.test(text.slice(to, to + 2))
  );
}
