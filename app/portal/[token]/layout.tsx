import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PortalShell } from "#components/portal/portal-shell.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { requirePortal } from "#lib/web/portal/portal-page.ts";
import { PortalColorStyle } from "../color-style.tsx";

type PortalLayoutProps = { params: Promise<{ token: string }>; children: ReactNode };

export async function generateMetadata({ params }: PortalLayoutProps): Promise<Metadata> {
  const { name } = await requirePortal((await params).token);
  const title = safeText(name);
  return {
    title: { absolute: title, template: `%s · ${title}` },
    description: "Webhook subscriptions",
  };
}

/** The account's name, logo, and color around every page of its portal. */
export default async function PortalLayout({ params, children }: PortalLayoutProps) {
  const { token } = await params;
  const { name, settings } = await requirePortal(token);
  return (
    <>
      <PortalColorStyle color={settings.portalColor} />
      <PortalShell base={`/portal/${token}`} name={name} logo={settings.portalLogo}>
        {children}
      </PortalShell>
    </>
  );
}
