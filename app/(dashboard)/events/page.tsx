import type { Metadata } from "next";
import { EventList } from "#components/events/event-list.tsx";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readEventList } from "#lib/web/events/read-event-list.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { SendingStepsHere } from "../sending-steps.tsx";
import { SendEventHere } from "./send-event-here.tsx";

export const metadata: Metadata = { title: "Events" };

export default async function EventsPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const list = await readEventList(await pageContext(), await searchParams);
  const isEmpty = list.events.length === 0 && !list.isFiltered && list.links.newest === null;
  if (isEmpty)
    return (
      <>
        <PageHeader
          title="Send your first event"
          lead="Events reach every matching subscription, signed and retried until the receiver accepts them."
        />
        <SendingStepsHere />
        <Restricted to="events:write">
          <SendEventHere params={{}} />
        </Restricted>
      </>
    );
  return (
    <>
      <PageHeader title="Events">
        <div className="flex flex-wrap items-center gap-2">
          {list.events.length > 0 && <ExportMenu list="events" values={list.values} />}
          <Allowed to="events:write">
            <Link href="/events/new" className={buttonClasses()}>
              Send an event
            </Link>
          </Allowed>
        </div>
      </PageHeader>
      <EventList list={list} />
    </>
  );
}
