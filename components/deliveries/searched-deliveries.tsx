"use client";

import { SearchedRows } from "#components/lists/searched-rows.tsx";
import type { Search } from "#lib/schema/account/search.ts";
import type { Column, DeliveryRow } from "./delivery-row.ts";
import { DeliveryTable } from "./delivery-table.tsx";

type SearchedDeliveriesProps = {
  readonly rows: readonly DeliveryRow[];
  readonly search: Search;
  readonly older: string | null;
  readonly nowMs: number;
  readonly isOneHook: boolean;
  readonly columns: readonly Column[];
};

export function SearchedDeliveries(props: SearchedDeliveriesProps) {
  const { nowMs, isOneHook, columns, ...search } = props;
  return (
    <SearchedRows {...search} what="deliveries">
      {(rows) => (
        <DeliveryTable rows={rows} nowMs={nowMs} isOneHook={isOneHook} columns={columns} />
      )}
    </SearchedRows>
  );
}
