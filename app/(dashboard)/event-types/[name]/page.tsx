import type { Metadata } from "next";
import { DeleteEventType } from "#components/event-types/delete-event-type.tsx";
import { EventTypeForm } from "#components/event-types/event-type-form.tsx";
import { eventTypePath } from "#components/event-types/event-type-path.ts";
import { VersionList } from "#components/event-types/version-list.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { EventTypeFacts } from "#components/read-only/small-facts.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { deleteEventTypeCommand, saveEventTypeCommand } from "#lib/web/event-types/commands.ts";
import { readEventTypePage } from "#lib/web/event-types/read-event-types.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { ManagedHere } from "../../managed-here.tsx";

type EventTypePageProps = { params: Promise<{ name: string }> };

export async function generateMetadata({ params }: EventTypePageProps): Promise<Metadata> {
  return { title: safeText(decodeURIComponent((await params).name)) };
}

export default async function EventTypePage({ params }: EventTypePageProps) {
  const name = decodeURIComponent((await params).name);
  const page = await orNotFound(readEventTypePage(await pageContext(), name));
  const { stored, versions, nowMs } = page;
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PageHeader title={name}>
        <div data-commands="event type" className="flex flex-wrap gap-2">
          <Allowed to="events:write">
            <Link
              href={`/events/new?type=${encodeURIComponent(name)}`}
              className={buttonClasses("secondary")}
            >
              Send an event
            </Link>
          </Allowed>
          <Link
            href={`/events?type=${encodeURIComponent(name)}`}
            className={buttonClasses("secondary")}
          >
            View events
          </Link>
          <Allowed to="subscriptions:write">
            <DeleteEventType name={name} remove={deleteEventTypeCommand.bind(null, name)} />
          </Allowed>
        </div>
      </PageHeader>
      <div className="flex flex-wrap gap-2 empty:hidden">
        <ManagedHere kind="event type" id={name} />
      </div>
      <Restricted to="subscriptions:write" instead={<EventTypeFacts stored={stored} />}>
        <EventTypeForm stored={stored} isNew={false} save={saveEventTypeCommand} />
      </Restricted>
      <section aria-labelledby="versions" className="grid grid-cols-1 gap-3">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
          <div className="grid min-w-0 gap-1 sm:flex-1 sm:basis-64">
            <h2 id="versions" className="text-lg font-semibold tracking-tight">
              Versions
            </h2>
            <p className="text-sm text-muted-foreground">
              A subscription keeps the version that it has, so that you can change what you publish.
            </p>
          </div>
          <Allowed to="subscriptions:write">
            <Link
              href={`${eventTypePath(name)}/versions/new`}
              className={buttonClasses("secondary")}
            >
              New version
            </Link>
          </Allowed>
        </div>
        <VersionList name={name} versions={versions} nowMs={nowMs} />
      </section>
    </div>
  );
}
