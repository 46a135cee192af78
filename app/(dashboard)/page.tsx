import type { Metadata } from "next";
import { isMovingDelivery, toDeliveryRow } from "#components/deliveries/delivery-row.ts";
import { DeliveryTable } from "#components/deliveries/delivery-table.tsx";
import { ActivityCharts } from "#components/home/activity-charts.tsx";
import { HomeFigures } from "#components/home/home-figures.tsx";
import { HooksNeedingAttention } from "#components/home/hooks-needing-attention.tsx";
import { SendingFigures } from "#components/home/sending-figures.tsx";
import { SpoolNotice } from "#components/home/spool-notice.tsx";
import { SubscriptionNotices } from "#components/home/subscription-notices.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { LiveList } from "#components/lists/live-list.tsx";
import { RangeLinks } from "#components/lists/range-links.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { HomeProblems } from "#components/problems/home-problems.tsx";
import { ProviderPicker } from "#components/providers/provider-picker.tsx";
import { BulkJobList } from "#components/runs/bulk-job-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { readHome, readSending } from "#lib/services/home.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readLatestDeliveries } from "#lib/web/deliveries/read-delivery-list.ts";
import { readProblemList } from "#lib/web/problems/read-problems.ts";
import { listProviderChoices } from "#lib/web/providers/list-provider-choices.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { dismissNoticeCommand } from "#lib/web/subscriptions/commands.ts";
import { jobCommands } from "./jobs/job-commands.ts";

export const metadata: Metadata = { title: "Home" };

export default async function HomePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { range: given } = await searchParams;
  const range = given === "7d" || given === "30d" ? given : "24h";
  const context = await pageContext();
  const [home, sending, deliveries, list] = await Promise.all([
    readHome(context, { range }),
    readSending(context, { range }),
    readLatestDeliveries(context),
    readProblemList(context, {}),
  ]);
  if (!home.hasHooks && !sending.isUsed) {
    return (
      <>
        <PageHeader
          title="Where do your webhooks come from?"
          lead="Choose a provider to get a URL to paste into its settings. Its events show up here."
        />
        <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
          <p className="min-w-0 flex-1 basis-64 text-sm text-muted-foreground">
            Do you want to send webhooks to your own customers instead?
          </p>
          <Link href="/events" className={buttonClasses("secondary")}>
            Send your first event
          </Link>
        </Card>
        <Restricted to="hooks:write">
          <ProviderPicker providers={listProviderChoices()} to="/hooks/new?from=" />
        </Restricted>
      </>
    );
  }
  const notices = (
    <SubscriptionNotices
      notices={sending.notices}
      nowMs={sending.nowMs}
      dismiss={dismissNoticeCommand}
    />
  );
  const figures = sending.isUsed && <SendingFigures {...sending} range={range} />;
  const { problems, failed } = list;
  const broken = (
    <>
      <BulkJobList jobs={list.pausedJobs} nowMs={list.nowMs} {...jobCommands} />
      <HomeProblems problems={problems} failed={failed} nowMs={list.nowMs} />
    </>
  );
  if (!home.hasHooks) {
    return (
      <>
        <PageHeader title="Home">
          <div className="flex flex-wrap items-center gap-3">
            <RangeLinks range={range} />
            <Allowed to="events:write">
              <Link href="/events/new" className={buttonClasses()}>
                Send an event
              </Link>
            </Allowed>
          </div>
        </PageHeader>
        {broken}
        {figures}
        {notices}
      </>
    );
  }
  const { nowMs } = home;
  return (
    <>
      <PageHeader title="Home">
        <div className="flex flex-wrap items-center gap-3">
          <RangeLinks range={range} />
          <Allowed to="hooks:write">
            <Link href="/hooks/new" className={buttonClasses()}>
              New hook
            </Link>
          </Allowed>
        </div>
      </PageHeader>
      {broken}
      {problems.every(({ kind }) => kind !== "spool") && (
        <SpoolNotice spool={home.spool} nowMs={nowMs} />
      )}
      <HomeFigures figures={home.figures} waiting={home.waiting} range={range} />
      <HooksNeedingAttention hooks={home.attention} />
      {figures}
      {notices}
      <ActivityCharts buckets={home.figures.buckets} bucketMs={home.bucketMs} range={range} />
      <section className="grid grid-cols-1 gap-4" aria-labelledby="deliveries">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h2 id="deliveries" className="text-lg font-semibold tracking-tight">
            Latest deliveries
          </h2>
          <Link
            href="/deliveries"
            className="text-sm font-medium underline-offset-4 hover:underline"
          >
            View all deliveries
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
              <p>
                Paste a hook's catch URL into the provider's webhook settings and send a test event.
              </p>
              <Link href="/hooks" className={buttonClasses("secondary")}>
                Go to your hooks
              </Link>
            </EmptyState>
          ) : (
            <DeliveryTable
              rows={deliveries.map((delivery) => toDeliveryRow(delivery, false))}
              nowMs={nowMs}
            />
          )}
        </LiveList>
      </section>
    </>
  );
}
