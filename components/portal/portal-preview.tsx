"use client";

import { useLayoutEffect, useRef } from "react";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { listPortalColors, toPortalColors } from "./portal-colors.ts";
import { PortalLogo } from "./portal-logo.tsx";

type PortalPreviewProps = {
  readonly name: string;
  readonly logo: string | null;
  /** `#rrggbb`. Anything else: Catchment's own color. */
  readonly color: string | null;
};

/** The portal's header and a subscription in the account's name, logo, and color. */
export function PortalPreview({ name, logo, color }: PortalPreviewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const known = /^#[0-9a-f]{6}$/i.test(color ?? "") ? color : null;

  // The policy of the page forbids style attributes in HTML, but not to scripts.
  useLayoutEffect(() => {
    const colors = known === null ? [] : listPortalColors(toPortalColors(known));
    for (const [property, value] of colors) frame.current?.style.setProperty(property, value);
    return () => {
      for (const [property] of colors) frame.current?.style.removeProperty(property);
    };
  }, [known]);

  return (
    <figure className="grid gap-1.5">
      <figcaption className="text-sm font-medium">Preview</figcaption>
      <div ref={frame} aria-hidden className="overflow-hidden rounded-md border bg-background">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1 border-b bg-card px-4">
          <span className="flex min-w-0 items-center gap-2.5 py-2.5 font-semibold tracking-tight">
            <PortalLogo name={name} logo={logo} />
            <span className="min-w-0 truncate">{safeText(name)}</span>
          </span>
          <span className="flex gap-4 text-sm font-medium sm:ml-auto">
            <span className="border-b-2 border-primary py-2.5">Subscriptions</span>
            <span className="py-2.5 text-muted-foreground">Event types</span>
          </span>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 p-4">
          <span className="grid min-w-0 justify-items-start gap-1">
            <code className="font-mono text-xs wrap-anywhere">
              https://customer.example/webhooks
            </code>
            <Badge tone="positive">Active</Badge>
          </span>
          <span className="button button-primary">New subscription</span>
        </div>
      </div>
    </figure>
  );
}
