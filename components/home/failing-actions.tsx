"use client";

import type { ReactNode } from "react";
import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { RunReason } from "#lib/schema/act/run.ts";

type FailingActionsProps = {
  /** Worst first. */
  readonly actions: readonly {
    readonly id: string;
    readonly name: string;
    readonly hookName: string;
    readonly failed: number;
    readonly succeeded: number;
    readonly retrying: number;
    readonly reason: RunReason | null;
    readonly at: Date | null;
  }[];
  /** The number of further failing actions. */
  readonly more: number;
  readonly range: Range;
  readonly nowMs: number;
};

/** Failing actions, with the last error and a link to their failed runs. */
export function FailingActions({ actions, more, range, nowMs }: FailingActionsProps) {
  if (actions.length === 0) return null;
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="failing">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="failing" className="text-lg font-semibold tracking-tight">
          Failing
        </h2>
        <Link
          href={`/failures?range=${range}`}
          className="text-sm font-medium underline-offset-4 hover:underline"
        >
          Failures of {rangeWords[range]}, by reason
        </Link>
      </div>
      <Card>
        <ul className="divide-y">
          {actions.map((action) => (
            <li key={action.id} className="grid grid-cols-1 gap-1 px-4 py-3 text-sm">
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Link
                  href={`/actions/${action.id}`}
                  className="min-w-0 rounded-sm font-medium break-words underline-offset-4 hover:underline"
                >
                  {safeText(action.name)}
                </Link>
                <span className="min-w-0 break-words text-muted-foreground">
                  {safeText(action.hookName)}
                </span>
                <span className="flex flex-wrap gap-2 sm:ml-auto">
                  {action.failed > 0 && (
                    <RunsLink actionId={action.id} status="failed" since={range} name={action.name}>
                      <Badge tone="negative">{action.failed.toLocaleString("en")} failed</Badge>
                    </RunsLink>
                  )}
                  {action.retrying > 0 && (
                    <RunsLink actionId={action.id} status="retrying" name={action.name}>
                      <Badge tone="caution">{action.retrying.toLocaleString("en")} retrying</Badge>
                    </RunsLink>
                  )}
                </span>
              </span>
              {action.reason !== null && (
                <span className="flex items-baseline justify-between gap-x-3 text-muted-foreground">
                  <span className="min-w-0 break-words">
                    {safeText(action.reason.detail.slice(0, 300))}
                  </span>
                  {action.at !== null && <RelativeTime at={action.at} nowMs={nowMs} />}
                </span>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {more > 0 && <p className="text-sm text-muted-foreground">And {more} more.</p>}
    </section>
  );
}

type RunsLinkProps = {
  readonly actionId: string;
  readonly status: string;
  readonly since?: Range;
  readonly name: string;
  readonly children: ReactNode;
};

function RunsLink({ actionId, status, since, name, children }: RunsLinkProps) {
  const params = new URLSearchParams({
    status,
    actionId,
    ...(since === undefined ? {} : { since }),
  });
  return (
    <Link href={`/runs?${params}`} className="rounded-full hover:underline">
      {children}
      <span className="sr-only"> of {safeText(name)}</span>
    </Link>
  );
}
