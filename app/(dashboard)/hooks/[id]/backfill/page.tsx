import type { Metadata } from "next";
import { Backfill } from "#components/gaps/backfill.tsx";
import { HookHeader } from "#components/hooks/hook-header.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { cancelGapCommand, findGapCommand, takeInGapCommand } from "#lib/web/gaps/commands.ts";
import { readBackfillPage } from "#lib/web/gaps/read-backfill-page.ts";
import {
  deleteHookCommand,
  readHookContentsCommand,
  setHookStatusCommand,
} from "#lib/web/hooks/commands.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { readHook } from "#lib/web/request/read-named.ts";
import { jobCommands } from "../../../jobs/job-commands.ts";
import { titleByName } from "../../../title-by-name.ts";

type BackfillPageProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
};

export async function generateMetadata({ params }: BackfillPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "Back-fill", otherwise: "Back-fill" });
}

export default async function BackfillPage({ params, searchParams }: BackfillPageProps) {
  const { id } = await params;
  const page = await orNotFound(readBackfillPage(await pageContext(), id, await searchParams));
  const { hook, nowMs, from, to, source, newest, job, older } = page;
  return (
    <>
      <HookHeader
        hook={hook}
        nowMs={nowMs}
        current="backfill"
        setStatus={setHookStatusCommand}
        deleteHook={deleteHookCommand}
        readContents={readHookContentsCommand}
      />
      <Backfill
        hookId={hook.id}
        nowMs={nowMs}
        from={from}
        to={to}
        source={source}
        newest={newest}
        job={job}
        older={older}
        find={findGapCommand}
        cancel={cancelGapCommand}
        takeIn={takeInGapCommand}
        jobCommands={jobCommands}
      />
    </>
  );
}
