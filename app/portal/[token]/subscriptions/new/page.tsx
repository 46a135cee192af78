import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { NewPortalSubscription } from "#components/portal/new-subscription.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { pickSignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { listCatalog } from "#lib/services/event-types.ts";
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
  const catalog = await readForPage(token, listCatalog, {});
  const chosen = catalog.find(({ name }) => name === type);
  return (
    <>
      <PageHeader title="New subscription" lead="Where should your events go?" />
      <NewPortalSubscription
        base={`/portal/${token}`}
        eventTypes={chosen === undefined ? [] : [chosen.name]}
        catalog={catalog}
        signatureHeaders={pickSignatureHeaders(settings)}
        create={createInPortal.bind(null, token)}
      />
    </>
  );
}
