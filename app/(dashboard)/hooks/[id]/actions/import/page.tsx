import type { Metadata } from "next";
import { ImportAction } from "#components/actions/transfer/import-action.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PlacedHeader } from "#components/shell/placed-header.tsx";
import { importActionCommand } from "#lib/web/actions/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { readHook } from "#lib/web/request/read-named.ts";

export const metadata: Metadata = { title: "Import action" };

export default async function ImportPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const hook = await orNotFound(readHook(await pageContext(), id));
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PlacedHeader
        title="Import action"
        places={[{ href: `/hooks/${hook.id}`, name: hook.name }]}
      />
      <Restricted to="hooks:write">
        <ImportAction run={importActionCommand.bind(null, hook.id)} />
      </Restricted>
    </div>
  );
}
