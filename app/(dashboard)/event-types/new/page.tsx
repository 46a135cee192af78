import type { Metadata } from "next";
import { newEventType } from "#components/event-types/event-type-draft.ts";
import { EventTypeForm } from "#components/event-types/event-type-form.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { authorizePage } from "#lib/web/auth/page-context.ts";
import { saveEventTypeCommand } from "#lib/web/event-types/commands.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";

export const metadata: Metadata = { title: "New event type" };

export default async function NewEventTypePage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  await authorizePage("subscriptions:read");
  const { name } = await searchParams;
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PageHeader title="New event type" />
      <Restricted to="subscriptions:write">
        <EventTypeForm
          stored={{ ...newEventType, name: typeof name === "string" ? name : "" }}
          isNew
          save={saveEventTypeCommand}
        />
      </Restricted>
    </div>
  );
}
