import type { Page, PageRequest } from "#lib/db/postgres/page.ts";

/** Where the search of a page goes on. */
export type Resume = {
  readonly cursor: string;
  /** How many the page already shows. */
  readonly count: number;
  /** Aborted once the answer is no longer needed. */
  readonly signal: AbortSignal;
};

/** How long one request searches. The page then goes on by itself. */
const searchMs = 1_000;

/** Reads in many short statements, until the page is full, the time is over, or at the end. */
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
