import type { KeyObject } from "node:crypto";
import { listArrivedValues } from "#lib/core/people/erase/arrived-values.ts";
import { createEraser } from "#lib/core/people/erase/eraser.ts";
import { hashValue } from "#lib/core/people/erase/rule-key.ts";
import type { ArrivedRow } from "#lib/db/erasures/read-arrived.ts";
import type { RuleHash } from "#lib/db/erasures/watch-arrivals.ts";
import { type ErasureMode, maxErasedValues } from "#lib/schema/account/erasure-places.ts";

/** Finds the rule of a value. Undefined: there is none. */
export type Matcher = (value: string) => RuleHash | undefined;

/** Each value is hashed once: deliveries of a hook repeat the names of their fields. */
export function createMatcher(key: KeyObject, rules: readonly RuleHash[]): Matcher {
  const byHash = new Map(
    rules.map((rule) => [Buffer.from(rule.valueHash).toString("base64"), rule]),
  );
  const known = new Map<string, RuleHash | undefined>();
  return (value) => {
    if (byHash.size === 0) return undefined;
    if (known.has(value)) return known.get(value);
    const rule = byHash.get(hashValue(key, value).toString("base64"));
    known.set(value, rule);
    return rule;
  };
}

export type Matched = {
  readonly mode: ErasureMode;
  /** By the id of their rule. */
  readonly found: ReadonlyMap<string, { readonly value: string; readonly rows: number }>;
};

type Looked = {
  /** Null: no row has a value. */
  readonly matched: Matched | null;
  /** The last row that needs no further look. Null: there is none. */
  readonly lastId: string | null;
};

/** The values that one look compares, and those of one more row: hashing them keeps the thread busy. */
const maxCompared = 30_000;

/**
 * Finds the values of rules in rows. It ends before a row that needs an erasure of its own, because its rules do
 * something else, or there are enough values for one. A row with rules of both modes is looked at twice: what is
 * redacted comes first, since the row is gone afterwards.
 */
export function matchRows(matcher: Matcher, rows: readonly ArrivedRow[]): Looked {
  const found = new Map<string, { value: string; rows: number }>();
  let mode: ErasureMode | null = null;
  let lastId: string | null = null;
  let compared = 0;
  for (const row of rows) {
    if (compared > maxCompared) break;
    const values = listArrivedValues({
      ...row,
      texts: [...row.texts, ...readHeaders(row.headers)],
    });
    compared += values.size;
    const ofRow = Map.groupBy(matchRow(matcher, row, values), ({ rule }) => rule.mode);
    const ofMode = ofRow.get("redact") ?? ofRow.get("delete") ?? [];
    const modeOfRow = ofMode[0]?.rule.mode;
    if (modeOfRow !== undefined) {
      const isAlone = ofRow.size > 1 || modeOfRow !== mode || found.size >= maxErasedValues;
      if (mode !== null && isAlone) break;
      mode = modeOfRow;
      for (const { rule, value } of ofMode) {
        const before = found.get(rule.id);
        found.set(rule.id, { value: before?.value ?? value, rows: (before?.rows ?? 0) + 1 });
      }
      if (ofRow.size > 1) break;
    }
    lastId = row.id;
  }
  return { matched: mode === null ? null : { mode, found }, lastId };
}

type RowMatch = { readonly rule: RuleHash; readonly value: string };

/** The rules of which a row has the value, with the value as it is there. */
function matchRow(
  matcher: Matcher,
  row: ArrivedRow,
  values: ReadonlySet<string>,
): readonly RowMatch[] {
  const found = new Map<string, RowMatch>();
  for (const value of values) {
    const rule = matcher(value);
    if (rule !== undefined && !found.has(rule.id) && isFound(row, value))
      found.set(rule.id, { rule, value });
  }
  return [...found.values()];
}

function readHeaders(json: string): readonly string[] {
  const headers = JSON.parse(json) as readonly (readonly [name: string, value: string])[];
  return headers.map(([, value]) => value);
}

/** An erasure that finds nothing would be started again by each delivery like this. */
function isFound(row: ArrivedRow, value: string): boolean {
  const { eraseText, eraseBytes } = createEraser([value]);
  return (
    eraseBytes(row.body) !== null ||
    [...row.texts, row.query, row.headers].some((text) => eraseText(text) !== null)
  );
}
