import type { Metadata } from "next";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SubscriptionList } from "#components/subscriptions/subscription-list.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readSubscriptionList } from "#lib/web/subscriptions/read-subscription-list.ts";
import { ManagedRows } from "../managed-here.tsx";
import { SendingStepsHere } from "../sending-steps.tsx";

export const metadata: Metadata = { title: "Subscriptions" };

export default async function SubscriptionsPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const list = await readSubscriptionList(await pageContext(), await searchParams);
  return (
    <>
      <PageHeader title="Subscriptions">
        <div className="flex flex-wrap items-center gap-2">
          {list.subscriptions.length > 0 && (
            <ExportMenu list="subscriptions" values={list.values} />
          )}
          <Allowed to="subscriptions:write">
            <Link href="/subscriptions/new" className={buttonClasses()}>
              New subscription
            </Link>
          </Allowed>
        </div>
      </PageHeader>
      <ManagedRows kind="subscription" rows={list.subscriptions}>
        <SubscriptionList
          list={list}
          empty={
            <div className="grid grid-cols-1 gap-6">
              <EmptyState title="No subscriptions yet">
                <p>
                  A subscription is a receiver URL and the event types that it gets. Create one for
                  your own receiver first.
                </p>
                <Allowed to="subscriptions:write">
                  <Link href="/subscriptions/new" className={buttonClasses()}>
                    Create subscription
                  </Link>
                </Allowed>
              </EmptyState>
              <SendingStepsHere />
            </div>
          }
        />
      </ManagedRows>
    </>
  );
}
