import type { ReactNode } from "react";
import { safeText } from "#components/ui/text/safe-text.ts";

type SavedHeaderProps = {
  readonly name: string;
  /** Short facts, the most useful first. */
  readonly details: readonly string[];
  readonly of: "destination" | "credential";
  /** Shows whose configuration files manage it. */
  readonly managed: ReactNode;
  /** Buttons. */
  readonly children: ReactNode;
};

/** The header of one destination or credential. */
export function SavedHeader({ name, details, of, managed, children }: SavedHeaderProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-1.5">
        <h1 className="text-2xl font-semibold tracking-tight break-words">{safeText(name)}</h1>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
          {details.map((detail) => (
            <span key={detail} className="wrap-anywhere">
              {safeText(detail)}
            </span>
          ))}
          {managed}
        </div>
      </div>
      <div data-commands={of} className="flex flex-wrap gap-2">
        {children}
      </div>
    </div>
  );
}
