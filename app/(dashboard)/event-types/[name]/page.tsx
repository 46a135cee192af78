import type { Metadata } from "next";
import { DeleteEventType } from "#components/event-types/delete-event-type.tsx";
import { EventTypeForm } from "#components/event-types/event-type-form.tsx";
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

type EventTypePageProps = { params: Promise<{ name: string }> };

export async function generateMetadata({ params }: EventTypePageProps): Promise<Metadata> {
  return { title: safeText(decodeURIComponent((await params).name)) };
}

export default async function EventTypePage({ params }: EventTypePageProps) {
  const name = decodeURIComponent((await params).name);
  const stored = await orNotFound(readEventTypePage(await pageContext(), name));
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
      <Restricted to="subscriptions:write" instead={<EventTypeFacts stored={stored} />}>
        <EventTypeForm stored={stored} isNew={false} save={saveEventTypeCommand} />
      </Restricted>
    </div>
  );
}
