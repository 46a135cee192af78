import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EventTypeCatalog } from "#components/portal/event-type-catalog.tsx";
import { PortalFrame } from "#components/portal/portal-frame.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { PortalColorStyle } from "../../portal/color-style.tsx";
import { readCatalog } from "./read-catalog.ts";

type CatalogPageProps = { params: Promise<{ slug: string }> };

export async function generateMetadata({ params }: CatalogPageProps): Promise<Metadata> {
  const catalog = await readCatalog((await params).slug);
  return catalog === null ? {} : { title: { absolute: `Event types · ${safeText(catalog.name)}` } };
}

/** The event types that an account sends. The page is public if the account says so. */
export default async function PublicCatalogPage({ params }: CatalogPageProps) {
  const { slug } = await params;
  const catalog = await readCatalog(slug);
  if (catalog === null) notFound();
  const { name, settings, entries } = catalog;
  return (
    <>
      <PortalColorStyle color={settings.portalColor} />
      <PortalFrame name={name} logo={settings.portalLogo} home={`/catalog/${slug}`}>
        <PageHeader
          title="Event types"
          lead={`The events that ${safeText(name)} sends to subscriptions.`}
        />
        <EventTypeCatalog entries={entries} path={`/catalog/${slug}`} />
      </PortalFrame>
    </>
  );
}
