import type { Metadata } from "next";
import { NewCredential } from "#components/credentials/credential-form.tsx";
import { CredentialTable } from "#components/credentials/credential-table.tsx";
import { ReceiversHeader } from "#components/credentials/receivers-header.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { createCredentialCommand } from "#lib/web/credentials/commands.ts";

import { readCredentialList } from "#lib/web/destinations/read-receivers.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { ManagedRows } from "../managed-here.tsx";

export const metadata: Metadata = { title: "Credentials" };

export default async function CredentialsPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const list = await readCredentialList(await pageContext(), await searchParams);
  const { credentials, links } = list;
  const isEmpty = credentials.length === 0 && links.newest === null;
  const create = (
    <Allowed to="credentials:write">
      <NewCredential save={createCredentialCommand} />
    </Allowed>
  );
  return (
    <>
      <ReceiversHeader current="credentials">{!isEmpty && create}</ReceiversHeader>
      {isEmpty ? (
        <EmptyState title="No credentials yet">
          <p>
            A credential is stored encrypted and sent to one origin only. Actions and destinations
            use it by its name, so you replace a token in one place.
          </p>
          {create}
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <ListKeys />
          <ManagedRows kind="credential" rows={credentials}>
            <CredentialTable
              rows={credentials.map((credential) => ({
                id: credential.id,
                name: credential.name,
                origin: credential.origin,
                kind: credential.settings.type,
                actions: credential.actionCount,
                destinations: credential.destinationCount,
                subscriptions: credential.subscriptionCount,
              }))}
            />
          </ManagedRows>
          <PageLinks links={links} />
        </div>
      )}
    </>
  );
}
