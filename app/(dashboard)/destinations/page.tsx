import type { Metadata } from "next";
import { describeLimits } from "#components/credentials/describe-limits.ts";
import { NewDestination } from "#components/credentials/destination-form.tsx";
import { DestinationTable } from "#components/credentials/destination-table.tsx";
import { ReceiversHeader } from "#components/credentials/receivers-header.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { createDestinationCommand } from "#lib/web/destinations/commands.ts";

import { readDestinationList } from "#lib/web/destinations/read-receivers.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { ManagedRows } from "../managed-here.tsx";

export const metadata: Metadata = { title: "Destinations" };

export default async function DestinationsPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const list = await readDestinationList(await pageContext(), await searchParams);
  const { destinations, credentials, links } = list;
  const isEmpty = destinations.length === 0 && links.newest === null;
  const create = (
    <Allowed to="hooks:write">
      <NewDestination credentials={credentials} save={createDestinationCommand} />
    </Allowed>
  );
  return (
    <>
      <ReceiversHeader current="destinations">{!isEmpty && create}</ReceiversHeader>
      {isEmpty ? (
        <EmptyState title="No destinations yet">
          <p>
            A destination is a receiver that several actions call. Set its limits and its credential
            once, for all of them together.
          </p>
          {create}
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <ListKeys />
          <ManagedRows kind="destination" rows={destinations}>
            <DestinationTable
              rows={destinations.map((destination) => ({
                id: destination.id,
                name: destination.name,
                origin: destination.origin,
                limits: describeLimits(destination),
                actions: destination.actionCount,
              }))}
            />
          </ManagedRows>
          <PageLinks links={links} />
        </div>
      )}
    </>
  );
}
