import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type Place = { readonly href: string; readonly name: string };

type PlacedHeaderProps = {
  readonly title: string;
  /** The breadcrumbs, from the outermost on. */
  readonly places: readonly Place[];
  /** The state of what the title names. */
  readonly badge?: ReactNode;
  /** Buttons. */
  readonly children?: ReactNode;
};

/** The title of a page, with links to what it is a part of. */
export function PlacedHeader({ title, places, badge, children }: PlacedHeaderProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 grid-cols-1 gap-1.5 sm:flex-1 sm:basis-64">
        <nav aria-label="Breadcrumbs" className="text-sm text-muted-foreground">
          {places.map(({ href, name }, at) => (
            <span key={href} className="break-words">
              {at > 0 && <span aria-hidden="true"> / </span>}
              <Link href={href} className="underline-offset-4 hover:underline">
                {safeText(name)}
              </Link>
            </span>
          ))}
        </nav>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-2xl font-semibold tracking-tight break-words">
            {safeText(title)}
          </h1>
          {badge}
        </div>
      </div>
      {children}
    </div>
  );
}
