"use client";

import { SearchedRows } from "#components/lists/searched-rows.tsx";
import type { Search } from "#lib/schema/search.ts";
import type { DeliveryRow } from "./delivery-row.ts";
import { DeliveryTable } from "./delivery-table.tsx";

type SearchedDeliveriesProps = {
  readonly rows: readonly DeliveryRow[];
  readonly search: Search;
  readonly older: string | null;
  readonly nowMs: number;
  readonly isOneHook: boolean;
};

export function SearchedDeliveries({ nowMs, isOneHook, ...search }: SearchedDeliveriesProps) {
  return (
    <SearchedRows {...search} what="deliveries">
      {(rows) => <DeliveryTable rows={rows} nowMs={nowMs} isOneHook={isOneHook} />}
    </SearchedRows>
  );
}
