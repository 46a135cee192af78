import { shorten } from "#lib/base/shorten.ts";
import { ExactNumber, type JsonValue } from "#lib/schema/field/json-value.ts";
import { isDeeperThan } from "./is-deeper-than.ts";

type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly code: "invalid_json" | "too_deep"; readonly message: string };

/** The limit is deep enough for every known provider, and far below a stack overflow. */
export const maxJsonDepth = 128;

/**
 * Parses JSON (RFC 8259) without changing numbers: one that JavaScript would print differently
 * (`12345678901234567890123`, `1e400`, `-0`, `1.10`) becomes an `ExactNumber`, others stay numbers.
 * The last value of a duplicate key wins; `__proto__` is a normal key; a leading byte order mark is
 * skipped.
 *
 * Uses `JSON.parse` with the reviver's `context.source` (ECMAScript "JSON.parse source text
 * access"): native code for the grammar, and unlike lossless-json it defines `__proto__` as an own
 * property. The reviver costs several times the parse, so it only runs if the text may contain such
 * a number. Browsers without `context.source` get plain numbers.
 */
export function parseExactJson(text: string, maxDepth: number = maxJsonDepth): ParsedJson {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (isDeeperThan(json, maxDepth)) {
    return {
      ok: false,
      code: "too_deep",
      message: `the JSON is nested deeper than ${maxDepth} levels`,
    };
  }
  try {
    const value =
      startsWithNumber.test(json) || mayHoldExactNumber.test(json)
        ? JSON.parse(json, createReviver())
        : JSON.parse(json);
    return { ok: true, value };
  } catch (error) {
    const reason = error instanceof SyntaxError ? shorten(error.message, 200) : "unreadable";
    return { ok: false, code: "invalid_json", message: `the text is not valid JSON: ${reason}` };
  }
}

/**
 * Matches wherever a number might change: an exponent, a trailing zero in a fraction, minus zero,
 * six zeros after the point (printed as 1e-7), or 16 digits (a double keeps any 15). Only looks
 * where a JSON number can start, because ids such as `evt_2e7` are common. A match inside a string
 * only costs time. A number that is the whole text has `startsWithNumber`: with `^` as another
 * alternative here, the search takes three times as long.
 */
const mayHoldExactNumber =
  /[\s,:[](?:-0(?![.\d])|-?\d+(?:\.\d+)?[eE]|-?\d+\.\d*0(?!\d)|-?0\.0{6}|-?(?:\d\.?){16})/;

const startsWithNumber = /^[-\d]/;

type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context?: { source?: string },
) => unknown;

function createReviver(): Reviver {
  // The same digits give the same object, so that `uniq` and `group_by` work by identity.
  const known = new Map<string, ExactNumber>();
  return (_key, value, context) => {
    const source = context?.source;
    if (typeof value !== "number" || source === undefined || String(value) === source) return value;
    const exact = known.get(source) ?? new ExactNumber(source);
    known.set(source, exact);
    return exact;
  };
}
