import type { Metadata } from "next";
import { EventTypePage } from "#components/portal/event-type-page.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { pickSignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { getCatalogType } from "#lib/services/event-types.ts";
import { readForPage, requirePortal } from "#lib/web/portal/portal-page.ts";

type TypePageProps = {
  params: Promise<{ token: string; name: string }>;
  searchParams: Promise<{ version?: string | string[] }>;
};

export async function generateMetadata({
  params,
}: Pick<TypePageProps, "params">): Promise<Metadata> {
  return { title: safeText(decodeURIComponent((await params).name)) };
}

export default async function PortalEventTypePage({ params, searchParams }: TypePageProps) {
  const { token, name } = await params;
  const { version } = await searchParams;
  const wanted = decodeURIComponent(name);
  const [{ capabilities, settings }, entry] = await Promise.all([
    requirePortal(token),
    readForPage(token, getCatalogType, {
      name: wanted,
      ...(typeof version === "string" && { version }),
    }),
  ]);
  const base = `/portal/${token}`;
  const isWritable = capabilities.includes("subscriptions:write") && !entry.deprecated;
  const subscribeHref = `${base}/subscriptions/new?type=${encodeURIComponent(wanted)}`;
  return (
    <EventTypePage
      entry={entry}
      path={`${base}/event-types`}
      subscribeHref={isWritable ? subscribeHref : null}
      signatureHeaders={pickSignatureHeaders(settings)}
    />
  );
}
