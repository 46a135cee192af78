import type { Metadata } from "next";
import Link from "next/link";
import { BulkJobList } from "#components/bulk-job-list.tsx";
import { PageHeader } from "#components/page-header.tsx";
import { RunList } from "#components/run-list.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { SearchParams } from "#lib/web/list-query.ts";
import { readRunList } from "#lib/web/read-run-list.ts";
import { requireSession } from "#lib/web/session.ts";
import { cancelBulkCommand, countBulkCommand, startBulkCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Runs" };

export default async function RunsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { accountId } = await requireSession();
  const list = await readRunList(accountId, await searchParams);
  return (
    <>
      <PageHeader title="Runs" lead="Every call that your actions make, and how it went." />
      <BulkJobList jobs={list.jobs} nowMs={list.nowMs} cancel={cancelBulkCommand} />
      <RunList
        list={list}
        countBulk={countBulkCommand}
        startBulk={startBulkCommand}
        empty={
          <EmptyState title="Nothing has run yet">
            <p>Give a hook an action, and each delivery that arrives makes a run of it.</p>
            <Link href="/" className={buttonClasses()}>
              Go to your hooks
            </Link>
          </EmptyState>
        }
      />
    </>
  );
}
