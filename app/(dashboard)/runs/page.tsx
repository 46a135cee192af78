import type { Metadata } from "next";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { ViewMenu } from "#components/lists/views/view-menu.tsx";
import { describeFailed } from "#components/problems/describe-failed.ts";
import { BulkJobList } from "#components/runs/bulk-job-list.tsx";
import { RunList } from "#components/runs/run-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import {
  cancelSelectedRunsCommand,
  countBulkCommand,
  retrySelectedRunsCommand,
  startBulkCommand,
} from "#lib/web/runs/commands.ts";
import { readRunList } from "#lib/web/runs/read-run-list.ts";
import { jobCommands } from "../jobs/job-commands.ts";
import { readViewMenu } from "../views/read-view-menu.ts";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [list, views] = await Promise.all([
    readRunList(await pageContext(), await searchParams),
    readViewMenu("runs"),
  ]);
  return (
    <>
      <PageHeader
        title="Runs"
        lead="Every run of an action and every send to a subscription, with its result."
      >
        {(list.runs.length > 0 || list.isFiltered) && (
          <div className="flex flex-wrap gap-2">
            <GroupLink values={list.values} isGrouped={list.groups !== null} />
            <ViewMenu
              path="/runs"
              params={{ ...list.values, group: list.groups === null ? "" : "reason" }}
              {...views}
            />
            <ExportMenu list="runs" values={list.values} />
          </div>
        )}
      </PageHeader>
      <BulkJobList jobs={list.jobs} nowMs={list.nowMs} {...jobCommands} />
      {list.failed !== null && list.failed.inList > 0 && <FailedCount {...list.failed} />}
      <RunList
        list={list}
        countBulk={countBulkCommand}
        startBulk={startBulkCommand}
        selected={{ retry: retrySelectedRunsCommand, cancel: cancelSelectedRunsCommand }}
        empty={
          <EmptyState title="Nothing has run yet">
            <p>Add an action to a hook. Each new delivery then creates a run.</p>
            <Link href="/" className={buttonClasses()}>
              Go to your hooks
            </Link>
          </EmptyState>
        }
      />
    </>
  );
}

type FailedCountProps = { readonly inList: number; readonly recent: number | null };

/** The number that Home and Problems show too, and that of older runs. */
function FailedCount({ inList, recent }: FailedCountProps) {
  return (
    <p className="text-sm text-muted-foreground">
      <b className="font-normal text-negative tabular-nums">{describeFailed(recent ?? inList)}</b>
      {recent !== null && ` in the last 7 days, ${inList.toLocaleString("en")} in all`}.{" "}
      <Link href="/problems/failures" className="rounded-sm underline underline-offset-4">
        Group by action and reason
      </Link>
    </p>
  );
}

type GroupLinkProps = {
  readonly values: Readonly<Record<string, string>>;
  readonly isGrouped: boolean;
};

/** Groups the runs by reason, or lists them again, with the same filter. */
function GroupLink({ values, isGrouped }: GroupLinkProps) {
  const params = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  if (!isGrouped) params.set("group", "reason");
  return (
    <Link href={`/runs?${params}`} className={buttonClasses("secondary")}>
      {isGrouped ? "List runs" : "Group by reason"}
    </Link>
  );
}
