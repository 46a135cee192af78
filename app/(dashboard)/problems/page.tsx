import type { Metadata } from "next";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { MarkSeen } from "#components/problems/mark-seen.tsx";
import { ProblemTable } from "#components/problems/problem-table.tsx";
import { ProblemTabs } from "#components/problems/problem-tabs.tsx";
import { BulkJobList } from "#components/runs/bulk-job-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { seeProblemsCommand } from "#lib/web/alerts/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readProblemList } from "#lib/web/problems/read-problems.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { jobCommands } from "../jobs/job-commands.ts";

export const metadata: Metadata = { title: "Problems" };

type ProblemsPageProps = { readonly searchParams: Promise<SearchParams> };

export default async function ProblemsPage({ searchParams }: ProblemsPageProps) {
  const list = await readProblemList(await pageContext(), await searchParams);
  const { problems, failed, state, links, nowMs } = list;
  const isOver = state === "resolved";
  return (
    <>
      <PageHeader
        title="Problems"
        lead="What is going wrong, and since when. A problem resolves itself once it is over."
      >
        <Link href="/account/alerts" className={buttonClasses("secondary")}>
          Set up alerts
        </Link>
      </PageHeader>
      <BulkJobList jobs={list.pausedJobs} nowMs={nowMs} {...jobCommands} />
      <MarkSeen see={seeProblemsCommand} />
      <ProblemTabs current={isOver ? "resolved" : "current"} failed={failed} />
      {problems.length === 0 ? (
        <EmptyState title={isOver ? "Nothing was wrong in the last 90 days" : "No problems"}>
          <p>
            What needs someone's attention shows up here: failing actions and subscriptions,
            rejected requests, silent hooks, events that never arrived, webhooks that were deleted
            at their provider, and more.
          </p>
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <ListKeys />
          <ProblemTable nowMs={nowMs} rows={problems} />
          <PageLinks links={links} />
        </div>
      )}
    </>
  );
}
