import type { ReactNode } from "react";
import { DeliveryFilters, type DeliveryFilterValues } from "./delivery-filters.tsx";
import { DeliveryTable, type DeliveryView, isMovingDelivery } from "./delivery-table.tsx";
import { ListKeys } from "./list-keys.tsx";
import { LiveList } from "./live-list.tsx";
import { type Links, PageLinks } from "./page-links.tsx";
import { EmptyState } from "./ui/empty-state.tsx";

type DeliveryListProps = {
  readonly path: string;
  readonly list: {
    readonly nowMs: number;
    readonly values: DeliveryFilterValues;
    readonly problems: Readonly<Record<string, string>>;
    readonly isFiltered: boolean;
    readonly hooks: readonly { readonly id: string; readonly name: string }[];
    readonly deliveries: readonly DeliveryView[];
    readonly links: Links;
  };
  /** Only its deliveries; null: of all hooks. */
  readonly hookId: string | null;
  /** Where nothing has ever arrived. */
  readonly empty: ReactNode;
};

/** Deliveries, newest first, with their filters and the way to older ones. */
export function DeliveryList({ path, list, hookId, empty }: DeliveryListProps) {
  const { deliveries, isFiltered, links, values, nowMs } = list;
  const isFirstPage = links.newest === null;
  const isLive = isFirstPage && values.since !== "between" && Object.keys(list.problems).length === 0;
  const table =
    deliveries.length > 0 ? (
      <DeliveryTable deliveries={deliveries} nowMs={nowMs} isOneHook={hookId !== null} />
    ) : (
      <EmptyState title="No delivery fits">
        <p>
          {links.older === null
            ? "Change the filters above, or clear them."
            : "None among those looked through so far. Go on to older ones, or change the filters above."}
        </p>
      </EmptyState>
    );
  const isEmpty = deliveries.length === 0 && !isFiltered && isFirstPage && links.older === null;
  return (
    <div className="grid grid-cols-1 gap-4">
      <ListKeys />
      {!isEmpty && (
        <DeliveryFilters
          path={path}
          values={values}
          problems={list.problems}
          isFiltered={isFiltered}
          hooks={list.hooks}
        />
      )}
      {isLive ? (
        <LiveList
          followed={{ list: "deliveries", ...values, ...(hookId === null ? {} : { hookId }) }}
          afterId={deliveries[0]?.id ?? ""}
          isMoving={deliveries.some((delivery) => isMovingDelivery(delivery, nowMs))}
        >
          {isEmpty ? empty : table}
        </LiveList>
      ) : (
        table
      )}
      <PageLinks links={links} />
    </div>
  );
}
