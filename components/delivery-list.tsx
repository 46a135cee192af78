import Link from "next/link";
import type { ReactNode } from "react";
import { DeliveryFilters, type FilterValues } from "./delivery-filters.tsx";
import { DeliveryTable, type DeliveryView } from "./delivery-table.tsx";
import { NewDeliveries } from "./new-deliveries.tsx";
import { buttonClasses } from "./ui/button.tsx";
import { EmptyState } from "./ui/empty-state.tsx";

type DeliveryListProps = {
  readonly path: string;
  readonly list: {
    readonly nowMs: number;
    readonly values: FilterValues;
    readonly problems: Readonly<Record<string, string>>;
    readonly isFiltered: boolean;
    readonly deliveries: readonly DeliveryView[];
    readonly links: {
      readonly older: string | null;
      readonly newer: string | null;
      readonly newest: string | null;
    };
  };
  /** Only its deliveries; null: of all hooks. */
  readonly hookId: string | null;
  /** Where nothing has ever arrived. */
  readonly empty: ReactNode;
};

/** Deliveries, newest first, with their filters and the way to older ones. */
export function DeliveryList({ path, list, hookId, empty }: DeliveryListProps) {
  const { deliveries, isFiltered, links } = list;
  const isFirstPage = links.newest === null;
  if (deliveries.length === 0 && !isFiltered && isFirstPage && links.older === null) return empty;
  return (
    <div className="grid grid-cols-1 gap-4">
      <DeliveryFilters
        key={JSON.stringify(list.values)}
        path={path}
        values={list.values}
        problems={list.problems}
        isFiltered={isFiltered}
      />
      {isFirstPage && !isFiltered && <NewDeliveries afterId={deliveries[0]?.id ?? ""} hookId={hookId} />}
      {deliveries.length > 0 ? (
        <DeliveryTable deliveries={deliveries} nowMs={list.nowMs} isOneHook={hookId !== null} />
      ) : (
        <EmptyState title="No delivery fits">
          <p>
            {links.older === null
              ? "Change the filters above, or clear them."
              : "None among those looked through so far. Go on to older ones, or change the filters above."}
          </p>
        </EmptyState>
      )}
      <nav aria-label="Pages" className="flex flex-wrap justify-end gap-2">
        <PageLink href={links.newest}>Newest</PageLink>
        <PageLink href={links.newer}>Newer</PageLink>
        <PageLink href={links.older}>Older</PageLink>
      </nav>
    </div>
  );
}

function PageLink({ href, children }: { href: string | null; children: ReactNode }) {
  if (href === null) return null;
  return (
    <Link href={href} prefetch={false} className={buttonClasses("secondary")}>
      {children}
    </Link>
  );
}
