import type { Metadata } from "next";
import { FailureList } from "#components/failures/failure-list.tsx";
import { RangeLinks, rangeWords } from "#components/lists/range-links.tsx";
import { describeFailed } from "#components/problems/describe-failed.ts";
import { ProblemTabs } from "#components/problems/problem-tabs.tsx";
import { BulkJobList } from "#components/runs/bulk-job-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { Link } from "#components/ui/link.tsx";
import { muteFailuresCommand, unmuteFailuresCommand } from "#lib/web/alerts/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readFailures, toFailureRange, usualRange } from "#lib/web/failures/read-failures.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { countBulkCommand, startBulkCommand } from "#lib/web/runs/commands.ts";
import { jobCommands } from "../../jobs/job-commands.ts";

export const metadata: Metadata = { title: "Failures" };

type FailuresPageProps = { readonly searchParams: Promise<SearchParams> };

export default async function FailuresPage({ searchParams }: FailuresPageProps) {
  const range = toFailureRange((await searchParams).range);
  const list = await readFailures(await pageContext(), range);
  const { failures, jobs, nowMs, more, isComplete } = list;
  return (
    <>
      <PageHeader title="Problems" lead="Failed runs, grouped by action and reason.">
        <RangeLinks range={range} path="/problems/failures" usual={usualRange} />
      </PageHeader>
      <ProblemTabs current="failures" failed={list.recent} />
      <BulkJobList jobs={jobs} nowMs={nowMs} {...jobCommands} />
      {list.failed > 0 && (
        <p className="text-sm text-muted-foreground">
          <Link
            href={`/runs?${new URLSearchParams({ status: "failed", since: range })}`}
            className="rounded-sm text-negative tabular-nums underline underline-offset-4"
          >
            {describeFailed(list.failed)}
          </Link>{" "}
          in {rangeWords[range]}
          {list.deleted > 0 &&
            `, ${list.deleted.toLocaleString("en")} of deleted actions or subscriptions`}
          .
        </p>
      )}
      <FailureList
        failures={failures}
        more={more}
        isComplete={isComplete}
        range={range}
        nowMs={nowMs}
        count={countBulkCommand}
        start={startBulkCommand}
        mute={muteFailuresCommand}
        unmute={unmuteFailuresCommand}
      />
    </>
  );
}
