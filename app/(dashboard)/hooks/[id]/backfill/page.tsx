import type { Metadata } from "next";
import { Backfill } from "#components/gaps/backfill.tsx";
import { HookHeader } from "#components/hooks/hook-header.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  cancelGapCommand,
  findGapCommand,
  saveGapScheduleCommand,
  takeInGapCommand,
} from "#lib/web/gaps/commands.ts";
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
import { ManagedHere } from "../../../managed-here.tsx";
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
  const { hook, ...shown } = page;
  return (
    <>
      <HookHeader
        hook={hook}
        nowMs={page.nowMs}
        current="backfill"
        managed={<ManagedHere kind="hook" id={hook.id} />}
        setStatus={setHookStatusCommand}
        deleteHook={deleteHookCommand}
        readContents={readHookContentsCommand}
      />
      <Backfill
        hookId={hook.id}
        {...shown}
        find={findGapCommand}
        cancel={cancelGapCommand}
        takeIn={takeInGapCommand}
        saveSchedule={saveGapScheduleCommand}
        jobCommands={jobCommands}
      />
    </>
  );
}
