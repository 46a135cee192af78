import type { Page } from "#lib/db/postgres/page.ts";

/** A list in the API's responses. */
export function showPage<Item, Shown>(
  { items, nextCursor }: Page<Item>,
  show: (item: Item) => Shown,
) {
  return { data: items.map(show), nextCursor };
}
