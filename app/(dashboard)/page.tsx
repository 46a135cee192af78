import type { Metadata } from "next";
import Link from "next/link";
import { DeliveryTable } from "#components/delivery-table.tsx";
import { HookList } from "#components/hook-list.tsx";
import { PageHeader } from "#components/page-header.tsx";
import { ProviderPicker } from "#components/provider-picker.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { listProviderChoices } from "#lib/web/list-provider-choices.ts";
import { readHome } from "#lib/web/read-home.ts";
import { requireSession } from "#lib/web/session.ts";

export const metadata: Metadata = { title: "Hooks" };

export default async function HomePage() {
  const { accountId } = await requireSession();
  const { hooks, deliveries, nowMs } = await readHome(accountId);
  if (hooks.length === 0) {
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
  return (
    <>
      <PageHeader title="Hooks">
        <Link href="/hooks/new" className={buttonClasses()}>
          New hook
        </Link>
      </PageHeader>
      <HookList hooks={hooks} nowMs={nowMs} />
      <section className="grid grid-cols-1 gap-4" aria-labelledby="deliveries">
        <h2 id="deliveries" className="text-lg font-semibold tracking-tight">
          Latest deliveries
        </h2>
        {deliveries.length === 0 ? (
          <EmptyState title="Nothing has arrived yet">
            <p>Copy a catch URL above into the sender's webhook settings and let it send a test event.</p>
          </EmptyState>
        ) : (
          <DeliveryTable deliveries={deliveries} nowMs={nowMs} />
        )}
      </section>
    </>
  );
}
