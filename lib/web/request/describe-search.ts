import { cursorTime, type Page } from "#lib/core/api/page.ts";
import type { Search } from "#lib/schema/account/search.ts";
import type { ListQuery } from "#lib/web/request/list-query.ts";

type SearchedList = {
  readonly list: "deliveries" | "runs" | "events";
  readonly hookId: string | null;
  readonly query: Pick<ListQuery<string, unknown>, "values" | "cursor" | "trail">;
};

/** The part that is left to search for a page. Null: the page is full, or nothing is left. */
export function describeSearch(
  { items, nextCursor, limit }: Page<unknown> & { readonly limit: number },
  { list, hookId, query: { values, cursor, trail } }: SearchedList,
): Search | null {
  if (nextCursor === null || items.length >= limit) return null;
  const page = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  page.set("list", list);
  if (cursor !== undefined) page.set("cursor", cursor);
  if (trail.length > 0) page.set("trail", trail.join("."));
  if (hookId !== null) page.set("ofHook", hookId);
  return { page: page.toString(), cursor: nextCursor, reachedMs: cursorTime(nextCursor) };
}
