import type { PathStep } from "#lib/schema/field/value-path.ts";
import { toIndex } from "./read-value.ts";

/**
 * Navigates JSON text without parsing it: one pass, no recursion, nothing rounded. Expects valid
 * JSON that has been parsed before. For other text the result is meaningless, but the function
 * always ends.
 */

/** The start of the value at a path, which reads the same as `readValueAt`. Null: there is none. */
export function findValue(text: string, steps: readonly PathStep[]): number | null {
  let at: number | null = skipSpace(text, 0);
  for (const step of steps) {
    at = findMember(text, at, step);
    if (at === null) return null;
  }
  return at;
}

/**
 * The start of the value of a key or index. The last one of a duplicate key counts, as in
 * `JSON.parse`.
 */
export function findMember(text: string, start: number, step: PathStep): number | null {
  const opening = text[start];
  if (opening === "[") return findItem(text, start, step);
  if (opening !== "{") return null;
  const key = String(step);
  let found: number | null = null;
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== "}") {
    const end = skipString(text, at);
    const name: unknown = JSON.parse(text.slice(at, end));
    at = skipSpace(text, skipSpace(text, end) + 1);
    if (name === key) found = at;
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

function findItem(text: string, start: number, step: PathStep): number | null {
  const index = toIndex(step);
  if (index === undefined) return null;
  const most = index < 0 ? Number.POSITIVE_INFINITY : index + 1;
  return findItems(text, start, most)?.at(index)?.[0] ?? null;
}

/**
 * The path of the first name that an object has twice, such as `request.url`. Null: none.
 * `JSON.parse` silently takes the last one.
 */
export function findRepeatedName(text: string): string | null {
  const levels: { readonly names: Set<string>; at: string | number }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const level = levels.at(-1);
    if (character === '"') {
      const end = skipString(text, at);
      if (level !== undefined && text[skipSpace(text, end)] === ":") {
        const name = readString(text, at, end);
        level.at = name;
        if (level.names.has(name)) return levels.map((each) => each.at).join(".");
        level.names.add(name);
      }
      at = end - 1;
    } else if (character === "{") levels.push({ names: new Set(), at: "" });
    else if (character === "[") levels.push({ names: new Set(), at: 0 });
    else if (character === "}" || character === "]") levels.pop();
    else if (character === "," && typeof level?.at === "number") level.at += 1;
  }
  return null;
}

/**
 * The start and end of the first `most` items of the array that starts at `start`. Null: not an
 * array.
 */
export function findItems(
  text: string,
  start: number,
  most: number,
): readonly (readonly [from: number, to: number])[] | null {
  if (text[start] !== "[") return null;
  const items: [number, number][] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== "]" && items.length < most) {
    const end = skipValue(text, at);
    items.push([at, end]);
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return items;
}

export function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return skipString(text, start);
  if (first !== "{" && first !== "[") return skipTo(scalarEnd, text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = skipString(text, at);
    } else {
      if (character === "{" || character === "[") depth += 1;
      if (character === "}" || character === "]") depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
    at = skipTo(structure, text, at);
  }
  return at;
}

const scalarEnd = /[\s,\]}]/g;
const structure = /["[\]{}]/g;
const notSpace = /[^ \t\n\r]/g;
const stringEnd = /["\\]/g;
const space = 0x20;

/** The position after the closing quote of the string that starts at `start`. */
function skipString(text: string, start: number): number {
  let at = skipTo(stringEnd, text, start + 1);
  // An escape covers the next character; the digits of \u0022 don't end a string either.
  while (at < text.length && text[at] === "\\") at = skipTo(stringEnd, text, at + 2);
  return at + 1;
}

/** Most strings have no escape, so they needn't be parsed. */
function readString(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1);
  return inside.includes("\\") ? JSON.parse(text.slice(start, end)) : inside;
}

export function skipSpace(text: string, start: number): number {
  // Usually there is none, and a search costs more than what follows.
  return text.charCodeAt(start) > space ? start : skipTo(notSpace, text, start);
}

function skipTo(what: RegExp, text: string, start: number): number {
  what.lastIndex = start;
  return what.exec(text)?.index ?? text.length;
}
