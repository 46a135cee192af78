import type { Metadata } from "next";
import Link from "next/link";
import { ActivityCharts } from "#components/activity-charts.tsx";
import { DeliveryTable, isMovingDelivery } from "#components/delivery-table.tsx";
import { FailingActions } from "#components/failing-actions.tsx";
import { HomeFigures } from "#components/home-figures.tsx";
import { HooksToSee } from "#components/hooks-to-see.tsx";
import { ListKeys } from "#components/list-keys.tsx";
import { LiveList } from "#components/live-list.tsx";
import { PageHeader } from "#components/page-header.tsx";
import { ProviderPicker } from "#components/provider-picker.tsx";
import { RangeLinks } from "#components/range-links.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { listProviderChoices } from "#lib/web/list-provider-choices.ts";
import type { SearchParams } from "#lib/web/list-query.ts";
import { readHome, toHomeRange } from "#lib/web/read-home.ts";
import { requireSession } from "#lib/web/session.ts";

export const metadata: Metadata = { title: "Home" };

export default async function HomePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { accountId } = await requireSession();
  const range = toHomeRange((await searchParams).range);
  const home = await readHome(accountId, range);
  if (!home.hasHooks) {
    return (
      <>
        <PageHeader
          title="Where do your webhooks come from?"
          lead="Choose a sender and you get a URL to paste into its settings. Every event that it sends lands here."
        />
        <ProviderPicker providers={listProviderChoices()} to="/hooks/new?from=" />
      </>
    );
  }
  const { deliveries, nowMs } = home;
  return (
    <>
      <PageHeader title="Home">
        <div className="flex flex-wrap items-center gap-3">
          <RangeLinks range={range} />
          <Link href="/hooks/new" className={buttonClasses()}>
            New hook
          </Link>
        </div>
      </PageHeader>
      <HomeFigures figures={home.figures} waiting={home.waiting} range={range} />
      <FailingActions actions={home.failing} more={home.moreFailing} range={range} nowMs={nowMs} />
      <HooksToSee hooks={home.attention} />
      <ActivityCharts buckets={home.figures.buckets} bucketMs={home.bucketMs} range={range} />
      <section className="grid grid-cols-1 gap-4" aria-labelledby="deliveries">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h2 id="deliveries" className="text-lg font-semibold tracking-tight">
            Latest deliveries
          </h2>
          <Link href="/deliveries" className="text-sm font-medium underline-offset-4 hover:underline">
            See all deliveries
          </Link>
        </div>
        <ListKeys />
        <LiveList
          followed={{ list: "deliveries" }}
          afterId={deliveries[0]?.id ?? ""}
          isMoving={deliveries.some((delivery) => isMovingDelivery(delivery, nowMs))}
        >
          {deliveries.length === 0 ? (
            <EmptyState title="Nothing has arrived yet">
              <p>Copy a hook's catch URL into the sender's webhook settings and let it send a test event.</p>
              <Link href="/hooks" className={buttonClasses("secondary")}>
                Go to your hooks
              </Link>
            </EmptyState>
          ) : (
            <DeliveryTable deliveries={deliveries} nowMs={nowMs} />
          )}
        </LiveList>
      </section>
    </>
  );
}
