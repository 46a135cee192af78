import type { Metadata } from "next";
import { FailureList } from "#components/failures/failure-list.tsx";
import { RangeLinks } from "#components/lists/range-links.tsx";
import { BulkJobList } from "#components/runs/bulk-job-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { muteFailuresCommand, unmuteFailuresCommand } from "#lib/web/alerts/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readFailures, toFailureRange, usualRange } from "#lib/web/failures/read-failures.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { countBulkCommand, startBulkCommand } from "#lib/web/runs/commands.ts";
import { jobCommands } from "../jobs/job-commands.ts";

export const metadata: Metadata = { title: "Failures" };

type FailuresPageProps = { readonly searchParams: Promise<SearchParams> };

export default async function FailuresPage({ searchParams }: FailuresPageProps) {
  const range = toFailureRange((await searchParams).range);
  const { failures, jobs, nowMs, more, isComplete } = await readFailures(
    await pageContext(),
    range,
  );
  return (
    <>
      <PageHeader title="Failures" lead="Runs that ended without success, by action and reason.">
        <RangeLinks range={range} path="/failures" usual={usualRange} />
      </PageHeader>
      <BulkJobList jobs={jobs} nowMs={nowMs} {...jobCommands} />
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
