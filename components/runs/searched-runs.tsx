"use client";

import { SearchedRows } from "#components/lists/searched-rows.tsx";
import type { Search } from "#lib/schema/account/search.ts";
import type { RunRow } from "./run-row.ts";
import { RunTable } from "./run-table.tsx";

type SearchedRunsProps = {
  readonly rows: readonly RunRow[];
  readonly search: Search;
  readonly older: string | null;
  readonly nowMs: number;
};

export function SearchedRuns({ nowMs, ...search }: SearchedRunsProps) {
  return (
    <SearchedRows {...search} what="runs">
      {(rows) => <RunTable rows={rows} nowMs={nowMs} />}
    </SearchedRows>
  );
}
