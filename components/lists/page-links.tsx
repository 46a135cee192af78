import type { ReactNode } from "react";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";

/** Null: no such page. */
export type Links = {
  readonly older: string | null;
  readonly newer: string | null;
  readonly newest: string | null;
};

/** Pagination links of a list. */
export function PageLinks({ links }: { links: Links }) {
  return (
    <nav aria-label="Pages" className="flex flex-wrap justify-end gap-2">
      <PageLink href={links.newest}>Newest</PageLink>
      <PageLink href={links.newer}>Newer</PageLink>
      <PageLink href={links.older}>Older</PageLink>
    </nav>
  );
}

/** Nothing, if there is no such page. */
export function PageLink({ href, children }: { href: string | null; children: ReactNode }) {
  if (href === null) return null;
  return (
    <Link href={href} className={buttonClasses("secondary")}>
      {children}
    </Link>
  );
}
