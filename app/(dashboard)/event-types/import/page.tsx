import type { Metadata } from "next";
import { EventTypeImport } from "#components/event-types/event-type-import.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { authorizePage } from "#lib/web/auth/page-context.ts";
import { importEventTypesCommand } from "#lib/web/event-types/commands.ts";

export const metadata: Metadata = { title: "Import event types" };

export default async function ImportEventTypesPage() {
  await authorizePage("subscriptions:read");
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PageHeader
        title="Import event types"
        lead="The webhooks of an OpenAPI document become event types."
      />
      <Restricted to="subscriptions:write">
        <EventTypeImport run={importEventTypesCommand} />
      </Restricted>
    </div>
  );
}
