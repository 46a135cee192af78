import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NewPortalSubscription } from "#components/portal/new-subscription.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { CallSources } from "#components/status/call-sources.tsx";
import { pickSignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { listCatalog } from "#lib/services/event-types.ts";
import { listCallSources } from "#lib/services/portal.ts";
import { listVersionChoice } from "#lib/services/subscriptions/subscription-versions.ts";
import { createInPortal } from "#lib/web/portal/commands.ts";
import { readForPage, requirePortal } from "#lib/web/portal/portal-page.ts";

export const metadata: Metadata = { title: "New subscription" };

type NewPageProps = {
  params: Promise<{ token: string }>;
  searchParams: Promise<{ type?: string | string[] }>;
};

export default async function NewPortalSubscriptionPage({ params, searchParams }: NewPageProps) {
  const { token } = await params;
  const { type } = await searchParams;
  const { capabilities, settings } = await requirePortal(token);
  if (!capabilities.includes("subscriptions:write")) notFound();
  const [catalog, versions] = await Promise.all([
    readForPage(token, listCatalog, {}),
    readForPage(token, listVersionChoice, {}),
  ]);
  const chosen = catalog.find(({ name }) => name === type);
  return (
    <>
      <PageHeader title="New subscription" lead="Where should your events go?" />
      <NewPortalSubscription
        base={`/portal/${token}`}
        eventTypes={chosen === undefined ? [] : [chosen.name]}
        catalog={catalog}
        versions={versions}
        signatureHeaders={pickSignatureHeaders(settings)}
        create={createInPortal.bind(null, token)}
      />
      <CallSources addresses={await readForPage(token, listCallSources, {})} />
    </>
  );
}
