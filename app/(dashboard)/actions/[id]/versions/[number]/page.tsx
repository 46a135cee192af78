import type { Metadata } from "next";
import { AgainstVersion } from "#components/actions/versions/against-version.tsx";
import { BacktestVersion } from "#components/actions/versions/backtest-version.tsx";
import { RestoreVersion } from "#components/actions/versions/restore-version.tsx";
import { VersionDiff } from "#components/actions/versions/version-diff.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { PlacedHeader } from "#components/shell/placed-header.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { describeVersion } from "#lib/schema/act/version-summary.ts";
import { listVersionsCommand, restoreVersionCommand } from "#lib/web/actions/commands.ts";
import { readVersionPage } from "#lib/web/actions/versions.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { startVersionBacktestCommand } from "#lib/web/backtests/commands.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";

export const metadata: Metadata = { title: "Version" };

type VersionPageProps = {
  readonly params: Promise<{ id: string; number: string }>;
  readonly searchParams: Promise<{ against?: string | string[] }>;
};

export default async function VersionPage({ params, searchParams }: VersionPageProps) {
  const { id, number } = await params;
  const { against: other } = await searchParams;
  const against = typeof other === "string" ? other : undefined;
  const page = await orNotFound(readVersionPage(await pageContext(), id, { number, against }));
  const { action, hook, version, changes, nowMs } = page;
  return (
    <div className="grid grid-cols-1 gap-4">
      <PlacedHeader
        title={`Version ${version.number}`}
        badge={version.isCurrent && <Badge tone="positive">Current</Badge>}
        places={[
          { href: `/hooks/${hook.id}`, name: hook.name },
          { href: `/actions/${action.id}`, name: action.name },
        ]}
      >
        <div data-commands="version" className="flex flex-wrap items-center gap-2">
          <Allowed to="hooks:write">
            <BacktestVersion
              number={version.number}
              start={startVersionBacktestCommand.bind(null, {
                actionId: action.id,
                version: version.number,
              })}
              listVersions={listVersionsCommand.bind(null, action.id)}
            />
          </Allowed>
          {!version.isCurrent && (
            <Allowed to="hooks:write">
              <RestoreVersion
                actionId={action.id}
                number={version.number}
                restore={restoreVersionCommand.bind(null, action.id, version.number)}
              />
            </Allowed>
          )}
        </div>
      </PlacedHeader>
      <p className="text-sm break-words text-muted-foreground">
        {safeText(describeVersion(version))} Saved{" "}
        {version.author !== null && `by ${safeText(version.author)} `}
        <RelativeTime at={version.createdAt} nowMs={nowMs} />.{" "}
        <NextLink href={`/actions/${action.id}/versions`}>All versions</NextLink>
      </p>
      {version.note !== null && (
        <blockquote className="border-l-2 pl-3 text-sm break-words whitespace-pre-line">
          {safeText(version.note)}
        </blockquote>
      )}
      <AgainstVersion
        actionId={action.id}
        number={version.number}
        against={page.against}
        list={listVersionsCommand.bind(null, action.id)}
      />
      <VersionDiff changes={changes} empty={describeNothing(page.against)} />
    </div>
  );
}

function describeNothing(against: number | null): string {
  return against === null
    ? "There is no earlier version to compare with."
    : "They do the same: nothing but the order of fields differs.";
}
