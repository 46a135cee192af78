import type { Metadata } from "next";
import Link from "next/link";
import { DeliveryList } from "#components/delivery-list.tsx";
import { PageHeader } from "#components/page-header.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { SearchParams } from "#lib/web/list-query.ts";
import { readDeliveryList } from "#lib/web/read-delivery-list.ts";
import { requireSession } from "#lib/web/session.ts";

export const metadata: Metadata = { title: "Deliveries" };

export default async function DeliveriesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { accountId } = await requireSession();
  const list = await readDeliveryList(accountId, { hookId: null, path: "/deliveries" }, await searchParams);
  return (
    <>
      <PageHeader title="Deliveries" />
      <DeliveryList
        path="/deliveries"
        list={list}
        hookId={null}
        empty={
          <EmptyState title="Nothing has arrived yet">
            <p>Give a hook's catch URL to another system, and every event that it sends lands here.</p>
            <Link href="/" className={buttonClasses()}>
              Go to your hooks
            </Link>
          </EmptyState>
        }
      />
    </>
  );
}
