import { FailureEmails } from "#components/portal/failure-emails.tsx";
import { PortalUsage } from "#components/portal/portal-usage.tsx";
import { PortalSubscriptionList } from "#components/portal/subscription-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { CallSources } from "#components/status/call-sources.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { listRecipientEmails } from "#lib/services/alerts/recipient-emails.ts";
import { listCallSources, listPortalSubscriptions, readPortalUsage } from "#lib/services/portal.ts";
import { addEmailInPortal, removeEmailInPortal } from "#lib/web/portal/commands.ts";
import { readForPage, requirePortal } from "#lib/web/portal/portal-page.ts";

type PortalPageProps = {
  params: Promise<{ token: string }>;
  searchParams: Promise<{ cursor?: string | string[] }>;
};

export default async function PortalPage({ params, searchParams }: PortalPageProps) {
  const { token } = await params;
  const { capabilities } = await requirePortal(token);
  if (!capabilities.includes("subscriptions:read"))
    return (
      <EmptyState title="This link doesn't include subscriptions">
        <p>Ask for a link with more permissions.</p>
      </EmptyState>
    );
  const { cursor } = await searchParams;
  const at = typeof cursor === "string" ? cursor : undefined;
  const list = await readForPage(token, listPortalSubscriptions, { cursor: at });
  const base = `/portal/${token}`;
  const create = capabilities.includes("subscriptions:write") && (
    <Link href={`${base}/subscriptions/new`} className={buttonClasses()}>
      New subscription
    </Link>
  );
  if (list.items.length === 0 && at === undefined)
    return (
      <>
        <PageHeader title="Subscriptions" />
        <EmptyState title="No subscriptions yet">
          <p>A subscription sends events to a URL of yours, the moment they happen.</p>
          {create}
        </EmptyState>
        <CallSources addresses={await readForPage(token, listCallSources, {})} />
      </>
    );
  return (
    <>
      <PageHeader title="Subscriptions" lead="The URLs that get your events.">
        {create}
      </PageHeader>
      <PortalSubscriptionList
        base={base}
        list={list}
        nowMs={Date.now()}
        isFirst={at === undefined}
      />
      {at === undefined && (
        <CallSources addresses={await readForPage(token, listCallSources, {})} />
      )}
      {at === undefined && <PortalUsage {...(await readForPage(token, readPortalUsage, {}))} />}
      {at === undefined && (
        <FailureEmails
          {...(await readForPage(token, listRecipientEmails, {}))}
          commands={
            capabilities.includes("subscriptions:write")
              ? {
                  add: addEmailInPortal.bind(null, token),
                  remove: removeEmailInPortal.bind(null, token),
                }
              : null
          }
        />
      )}
    </>
  );
}
