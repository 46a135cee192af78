import type { z } from "zod";
import { cursorTime, type Page, type PageRequest } from "#lib/core/api/page.ts";
import type { Search } from "#lib/schema/account/search.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { ListQuery } from "./list-query.ts";
import { type ListService, readPage } from "./read-list.ts";

/** The position where the search of a page continues. */
export type Resume = {
  readonly cursor: string;
  /** The number of items that the page already shows. */
  readonly count: number;
  /** The signal is aborted once the response is no longer needed. */
  readonly signal: AbortSignal;
};

const pageSize = 50;

type SearchedPage = {
  readonly query: Pick<ListQuery<string, unknown>, "asked" | "cursor" | "problems">;
  /** Whether the filter has to be compared with each item. */
  readonly isScan: boolean;
  readonly resume: Resume | undefined;
};

/** A page of a list by its service, or what one request finds of it. `limit`: how much it may find. */
export async function searchList<Schema extends z.ZodType<object>, Item>(
  context: ServiceContext,
  service: ListService<Schema, Item>,
  { query: { asked, cursor, problems }, isScan, resume }: SearchedPage,
) {
  const limit = pageSize - (resume?.count ?? 0);
  const first = { limit, cursor: resume?.cursor ?? cursor };
  const read = (part: PageRequest) => {
    const input = { ...asked, limit: String(part.limit), cursor: part.cursor };
    // The service parses its input, whatever it is.
    return service(context, input as z.input<Schema>);
  };
  const page = await readPage(problems, () =>
    isScan || resume !== undefined ? fillPage(read, first, resume?.signal) : read(first),
  );
  return { ...page, limit };
}

/** The time that one request searches, so that its page is there within a second. It then continues by itself. */
const searchMs = 700;

/** Reads in many short statements, until the page is full, the time is over, or nothing is left. */
async function fillPage<Item>(
  read: (page: PageRequest) => Promise<Page<Item>>,
  { limit, cursor }: PageRequest,
  signal?: AbortSignal,
): Promise<Page<Item>> {
  const until = performance.now() + searchMs;
  const items: Item[] = [];
  let nextCursor: string | null | undefined = cursor;
  do {
    const page = await read({ limit: limit - items.length, cursor: nextCursor ?? undefined });
    items.push(...page.items);
    nextCursor = page.nextCursor;
  } while (
    nextCursor !== null &&
    items.length < limit &&
    performance.now() < until &&
    signal?.aborted !== true
  );
  return { items, nextCursor };
}

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
