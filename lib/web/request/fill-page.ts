import type { Page, PageRequest } from "#lib/core/api/page.ts";

/** The position where the search of a page continues. */
export type Resume = {
  readonly cursor: string;
  /** The number of items that the page already shows. */
  readonly count: number;
  /** The signal is aborted once the response is no longer needed. */
  readonly signal: AbortSignal;
};

/** The time that one request searches, so that its page is there within a second. It then continues by itself. */
const searchMs = 700;

/** Reads in many short statements, until the page is full, the time is over, or nothing is left. */
export async function fillPage<Item>(
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
