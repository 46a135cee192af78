"use client";

import { SearchedRows } from "#components/lists/searched-rows.tsx";
import type { Search } from "#lib/schema/account/search.ts";
import type { EventRow } from "./event-row.ts";
import { EventTable } from "./event-table.tsx";

type SearchedEventsProps = {
  readonly rows: readonly EventRow[];
  readonly search: Search;
  readonly older: string | null;
  readonly nowMs: number;
};

export function SearchedEvents({ nowMs, ...search }: SearchedEventsProps) {
  return (
    <SearchedRows {...search} what="events">
      {(rows) => <EventTable rows={rows} nowMs={nowMs} />}
    </SearchedRows>
  );
}
