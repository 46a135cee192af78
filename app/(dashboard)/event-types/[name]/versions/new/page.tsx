import type { Metadata } from "next";
import { eventTypePath } from "#components/event-types/event-type-path.ts";
import { VersionForm } from "#components/event-types/version-form.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PlacedHeader } from "#components/shell/placed-header.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { checkVersionCommand, publishVersionCommand } from "#lib/web/event-types/commands.ts";
import { readEventTypePage } from "#lib/web/event-types/read-event-types.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";

export const metadata: Metadata = { title: "New version" };

type NewVersionPageProps = { params: Promise<{ name: string }> };

export default async function NewVersionPage({ params }: NewVersionPageProps) {
  const name = decodeURIComponent((await params).name);
  const { stored, versions } = await orNotFound(readEventTypePage(await pageContext(), name));
  const { schema, example } = stored;
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PlacedHeader title="New version" places={[{ href: eventTypePath(name), name }]} />
      <Restricted to="subscriptions:write">
        <VersionForm
          name={name}
          before={versions[0]?.version ?? ""}
          initial={{ version: "", note: "", transform: "", schema, example }}
          check={checkVersionCommand.bind(null, name)}
          publish={publishVersionCommand.bind(null, name)}
        />
      </Restricted>
    </div>
  );
}
