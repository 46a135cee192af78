import { findOutsideQuotes, readSteps } from "#lib/schema/field/value-path.ts";

/** A search for a value of the payload: `data.object.customer = cus_123`. */
export type PayloadSearch = {
  readonly path: readonly string[];
  readonly value: string;
};

const name = /[^\s.=<>"'{}&?,:/]+/u;
/** The maximum number of names in a path. */
export const maxNames = 16;
const wholeName = new RegExp(`^${name.source}$`, "u");

/** True if a search can name a field like this. */
export function isSearchableName(text: string): boolean {
  return wholeName.test(text);
}

/** Null: the text isn't `path = value`. Quotes around the value are optional. */
export function readPayloadSearch(text: string): PayloadSearch | null {
  const equals = findOutsideQuotes(text, "=");
  if (equals === undefined) return null;
  const path = text.slice(0, equals).trim();
  const value = text.slice(equals + 1).trim();
  const unquoted = path.replaceAll(quotedName, "");
  if (path === "" || value === "" || !/^[^\s=<>"'{}&?,:/]*$/u.test(unquoted)) return null;
  const names = readSteps(path).map(String);
  if (names.includes("") || names.length > maxNames) return null;
  const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
  return { path: names, value: isQuoted ? value.slice(1, -1) : value };
}

const quotedName = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gsu;

/**
 * A part of the value, or of the path, that a body with the value has as it is: without what JSON
 * may escape. Empty: any body may have it.
 */
export function findNeedle({ path, value }: PayloadSearch): string {
  const longest = (text: string) =>
    (text.match(/[\w-]+/g) ?? []).reduce(
      (one, other) => (other.length > one.length ? other : one),
      "",
    );
  const ofValue = longest(value);
  return ofValue === "" ? longest(path.at(-1) ?? "") : ofValue;
}
