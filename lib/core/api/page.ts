import { AppError } from "#lib/base/errors.ts";
import { hexToId, isId } from "#lib/base/ids.ts";

/** The parameters of a list request. `cursor` is from the previous page. */
export type PageRequest = { readonly limit: number; readonly cursor?: string | undefined };

/**
 * One page, newest first. `nextCursor` is null on the last page. A page may be short or empty
 * without being the last.
 */
export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/**
 * Lists are paged by keyset, never by offset: the last page costs as much as the first, and nothing
 * is shown twice when rows arrive meanwhile. A cursor is the id of the last row, encoded to keep it
 * opaque.
 */
export function encodeCursor(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}

/**
 * The id in a cursor, or the largest id for the first page. Throws `invalid_request` for an invalid
 * cursor.
 */
export function decodeCursor(cursor: string | undefined): string {
  if (cursor === undefined) return lastId;
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  const id = hexToId(hex);
  if (isId(id) && encodeCursor(id) === cursor) return id;
  throw new AppError(
    "invalid_request",
    "This cursor doesn't belong to this list. Use the nextCursor of the previous page.",
    {
      errors: [{ path: "cursor", code: "invalid_value", message: "is not a cursor of this list" }],
    },
  );
}

/** The time up to which the page before a cursor reached, in Unix milliseconds. */
export function cursorTime(cursor: string): number {
  return idTime(decodeCursor(cursor));
}

/** The time of an id, in Unix milliseconds. */
export function idTime(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16);
}

/** Makes a page of `rows`, which were read with a limit of one more than the page size. */
export function toPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  };
}

/**
 * The smallest UUIDv7 of an instant (Unix milliseconds): a bound for time ranges that excludes
 * partitions.
 */
export function idFloor(ms: number): string {
  const time = Math.min(Math.max(Math.trunc(ms), 0), 0xffff_ffff_ffff)
    .toString(16)
    .padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The larger of two ids, which is the later one. */
export function laterId(one: string, other: string): string {
  return one > other ? one : other;
}

/** The smaller of two ids, which is the earlier one. */
export function earlierId(one: string, other: string): string {
  return one < other ? one : other;
}

export const firstId = "00000000-0000-0000-0000-000000000000";
export const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Ids from `first` (inclusive) to `end` (exclusive). */
export type IdSpan = { readonly first: string; readonly end: string };

/**
 * A time range as ids, which contain times: partitions outside of it are not opened.
 *
 * @param range Unix milliseconds
 * @param before the cursor's id, exclusive
 */
export function toIdSpan(
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
  before: string,
): IdSpan {
  const end = to === undefined ? before : idFloor(to);
  return { first: from === undefined ? firstId : idFloor(from), end: earlierId(end, before) };
}
