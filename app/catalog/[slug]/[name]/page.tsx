import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EventTypePage } from "#components/portal/event-type-page.tsx";
import { PortalFrame } from "#components/portal/portal-frame.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { pickSignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { PortalColorStyle } from "../../../portal/color-style.tsx";
import { readCatalog, readType } from "../read-catalog.ts";

type TypePageProps = {
  params: Promise<{ slug: string; name: string }>;
  searchParams: Promise<{ version?: string | string[] }>;
};

export async function generateMetadata({
  params,
}: Pick<TypePageProps, "params">): Promise<Metadata> {
  const { slug, name } = await params;
  const catalog = await readCatalog(slug);
  if (catalog === null) return {};
  return {
    title: { absolute: `${safeText(decodeURIComponent(name))} · ${safeText(catalog.name)}` },
  };
}

/** One event type of a public catalog. */
export default async function PublicEventTypePage({ params, searchParams }: TypePageProps) {
  const { slug, name } = await params;
  const { version: given } = await searchParams;
  const version = typeof given === "string" ? given : undefined;
  const catalog = await readCatalog(slug);
  const wanted = decodeURIComponent(name);
  const entry = catalog === null ? null : await readType(catalog.accountId, wanted, version);
  if (catalog === null || entry === null) notFound();
  const { settings } = catalog;
  const path = `/catalog/${slug}`;
  return (
    <>
      <PortalColorStyle color={settings.portalColor} />
      <PortalFrame name={catalog.name} logo={settings.portalLogo} home={path}>
        <EventTypePage
          entry={entry}
          path={path}
          subscribeHref={null}
          signatureHeaders={pickSignatureHeaders(settings)}
        />
      </PortalFrame>
    </>
  );
}
