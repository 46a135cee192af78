import type { Metadata } from "next";
import { DeliveryList } from "#components/deliveries/delivery-list.tsx";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  acceptSelectedCommand,
  countAcceptCommand,
  replaySelectedCommand,
  retrySelectedCommand,
  startAcceptCommand,
} from "#lib/web/deliveries/commands.ts";
import { readDeliveryList } from "#lib/web/deliveries/read-delivery-list.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { jobCommands } from "../jobs/job-commands.ts";
import { readViewMenu } from "../views/read-view-menu.ts";

export const metadata: Metadata = { title: "Deliveries" };

export default async function DeliveriesPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const place = { hookId: null, path: "/deliveries" };
  const [list, views] = await Promise.all([
    readDeliveryList(await pageContext(), place, await searchParams),
    readViewMenu("deliveries"),
  ]);
  return (
    <>
      <PageHeader title="Deliveries">
        {list.deliveries.length > 0 && <ExportMenu list="deliveries" values={list.values} />}
      </PageHeader>
      <DeliveryList
        path="/deliveries"
        list={list}
        hookId={null}
        accept={{
          count: countAcceptCommand,
          start: startAcceptCommand,
          ...jobCommands,
        }}
        selected={{
          retry: retrySelectedCommand,
          replay: replaySelectedCommand,
          accept: acceptSelectedCommand,
        }}
        views={views}
        empty={
          <EmptyState title="Nothing has arrived yet">
            <p>Paste a hook's catch URL into another system. Its events show up here.</p>
            <Link href="/" className={buttonClasses()}>
              Go to your hooks
            </Link>
          </EmptyState>
        }
      />
    </>
  );
}
