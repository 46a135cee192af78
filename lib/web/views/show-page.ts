import type { Page } from "#lib/db/postgres/page.ts";

/** A list as the API answers it. */
export function showPage<Item, Shown>(
  { items, nextCursor }: Page<Item>,
  show: (item: Item) => Shown,
) {
  return { data: items.map(show), nextCursor };
}
