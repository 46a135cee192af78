import type { Metadata } from "next";
import Link from "next/link";
import { BacktestProgress } from "#components/backtest/backtest-progress.tsx";
import { BacktestResults } from "#components/backtest/backtest-results.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { TabLinks } from "#components/ui/layout/tab-links.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { readBacktest } from "#lib/web/backtests/read-backtest.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { cancelBacktestCommand } from "../commands.ts";

export const metadata: Metadata = { title: "Backtest" };

type BacktestPageProps = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<SearchParams>;
};

export default async function BacktestPage({ params, searchParams }: BacktestPageProps) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { backtest, hook, action, filters, results, links, nowMs } = await orNotFound(
    readBacktest(serverContext(), accountId, id, await searchParams),
  );
  const of = action === null ? "a new action" : `“${safeText(action.name)}”`;
  return (
    <>
      <PageHeader
        title={`Backtest of ${of}`}
        lead={
          "What the draft would do for deliveries that " +
          `${safeText(hook.name)} has accepted. Results are kept for 24 hours.`
        }
      >
        <Link
          href={action === null ? `/hooks/${hook.id}` : `/actions/${action.id}`}
          className={buttonClasses("secondary")}
        >
          {action === null ? "Open hook" : "Open action"}
        </Link>
      </PageHeader>
      <BacktestProgress backtest={backtest} nowMs={nowMs} cancel={cancelBacktestCommand} />
      <TabLinks label="Results" links={filters} />
      {results.length === 0 ? (
        <EmptyState title="No results">
          <p>{backtest.status === "running" ? "They appear here as it goes on." : "None here."}</p>
        </EmptyState>
      ) : (
        <BacktestResults results={results} nowMs={nowMs} />
      )}
      <PageLinks links={links} />
    </>
  );
}
