"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import { PortalFrame } from "./portal-frame.tsx";

type PortalShellProps = {
  /** `/portal/{token}`. */
  readonly base: string;
  /** The account's name for its portal. */
  readonly name: string;
  /** A data URL. */
  readonly logo: string | null;
  readonly children: ReactNode;
};

/** The frame of every portal page, with its two main pages. */
export function PortalShell({ base, name, logo, children }: PortalShellProps) {
  return (
    <PortalFrame
      name={name}
      logo={logo}
      home={base}
      nav={
        <nav aria-label="Portal" className="-mx-2.5 flex gap-1 sm:ml-auto">
          <PortalNavLink href={base} isHome>
            Subscriptions
          </PortalNavLink>
          <PortalNavLink href={`${base}/event-types`}>Event types</PortalNavLink>
        </nav>
      }
    >
      {children}
    </PortalFrame>
  );
}

type PortalNavLinkProps = {
  readonly href: string;
  readonly isHome?: boolean;
  readonly children: string;
};

function PortalNavLink({ href, isHome = false, children }: PortalNavLinkProps) {
  const pathname = usePathname();
  const isCurrent = isHome
    ? pathname === href || pathname.startsWith(`${href}/subscriptions`)
    : pathname.startsWith(href);
  return (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className={
        "-mb-px inline-flex items-center border-b-2 border-transparent px-2.5 py-3 text-sm " +
        "font-medium whitespace-nowrap text-muted-foreground -outline-offset-2 " +
        "hover:text-foreground aria-[current=page]:border-primary " +
        "aria-[current=page]:text-foreground"
      }
    >
      {children}
    </Link>
  );
}
