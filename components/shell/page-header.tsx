import type { ReactNode } from "react";

export function PageHeader({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 grid-cols-1 gap-1 sm:flex-1 sm:basis-64">
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {lead !== undefined && (
          <p className="max-w-prose text-sm break-words text-muted-foreground">{lead}</p>
        )}
      </div>
      {/* The palette finds the buttons of every page. */}
      {children !== undefined && (
        <div data-commands="page" className="contents">
          {children}
        </div>
      )}
    </div>
  );
}
