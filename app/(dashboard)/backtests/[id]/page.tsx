import type { Metadata } from "next";
import { listTabs } from "#components/backtest/backtest-counts.ts";
import { BacktestGroups } from "#components/backtest/backtest-groups.tsx";
import { BacktestProgress } from "#components/backtest/backtest-progress.tsx";
import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { TabLinks } from "#components/ui/layout/tab-links.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { cancelBacktestCommand, listGroupResultsCommand } from "#lib/web/backtests/commands.ts";
import { readBacktest } from "#lib/web/backtests/read-backtest.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";

export const metadata: Metadata = { title: "Backtest" };

type BacktestPageProps = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<SearchParams>;
};

export default async function BacktestPage({ params, searchParams }: BacktestPageProps) {
  const context = await pageContext();
  const { id } = await params;
  const { backtest, hook, action, path, show, groups, nowMs } = await orNotFound(
    readBacktest(context, id, await searchParams),
  );
  const { version, against } = backtest;
  const name = action === null ? "a new action" : `“${safeText(action.name)}”`;
  const of = version === null ? name : `version ${version} of ${name}`;
  const currentVersion = action?.version ?? null;
  return (
    <>
      <PageHeader
        title={`Backtest of ${of}`}
        lead={
          `What ${version === null ? "the draft" : `version ${version}`} would do for deliveries that ` +
          `${safeText(hook.name)} has accepted. Results are kept for 24 hours.`
        }
      >
        <Link href={toEditor(backtest, hook.id, action)} className={buttonClasses("secondary")}>
          {version === null ? "Open draft" : "Open action"}
        </Link>
      </PageHeader>
      <RefreshWhile isOn={backtest.status === "running"} everyMs={1_000} />
      <Card className="px-4 py-3">
        <BacktestProgress
          backtest={backtest}
          currentVersion={currentVersion}
          nowMs={nowMs}
          cancel={cancelBacktestCommand}
        />
      </Card>
      <TabLinks
        label="Results"
        links={listTabs(backtest).map((tab) => ({
          name: tab.name,
          href: tab.show === "" ? path : `${path}?show=${tab.show}`,
          isCurrent: tab.show === show,
        }))}
      />
      {groups.length === 0 ? (
        <EmptyState title="No results">
          <p>
            {backtest.status === "running"
              ? "They appear here as the backtest continues."
              : "None here."}
          </p>
        </EmptyState>
      ) : (
        <BacktestGroups
          id={backtest.id}
          show={show}
          groups={groups}
          other={against === currentVersion ? null : against}
          list={listGroupResultsCommand}
        />
      )}
    </>
  );
}

/** The editor has the draft, and shows the backtest beside it. */
function toEditor(
  { id, version, actionId }: { id: string; version: number | null; actionId: string | null },
  hookId: string,
  action: { readonly id: string } | null,
): string {
  if (actionId === null) return `/hooks/${hookId}/actions/new?backtest=${id}`;
  if (action === null) return `/hooks/${hookId}`;
  return version === null ? `/actions/${action.id}?backtest=${id}` : `/actions/${action.id}`;
}
