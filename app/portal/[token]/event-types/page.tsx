import type { Metadata } from "next";
import { EventTypeCatalog } from "#components/portal/event-type-catalog.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { listCatalog } from "#lib/services/event-types.ts";
import { readForPage } from "#lib/web/portal/portal-page.ts";

export const metadata: Metadata = { title: "Event types" };

type CatalogPageProps = { params: Promise<{ token: string }> };

export default async function PortalCatalogPage({ params }: CatalogPageProps) {
  const { token } = await params;
  const catalog = await readForPage(token, listCatalog, {});
  return (
    <>
      <PageHeader
        title="Event types"
        lead="The events you can receive, and what each one contains."
      />
      <EventTypeCatalog entries={catalog} path={`/portal/${token}/event-types`} />
    </>
  );
}
