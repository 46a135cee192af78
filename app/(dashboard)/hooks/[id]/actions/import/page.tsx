import type { Metadata } from "next";
import { EditorHeader } from "#components/actions/editor-header.tsx";
import { ImportAction } from "#components/actions/transfer/import-action.tsx";
import { requireSession } from "#lib/web/auth/session.ts";
import { readHook } from "#lib/web/pages/read-named.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { importActionCommand } from "../../../../actions/transfer-commands.ts";

export const metadata: Metadata = { title: "Import action" };

export default async function ImportPage({ params }: { params: Promise<{ id: string }> }) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const hook = await orNotFound(readHook(serverContext(), accountId, id));
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <EditorHeader title="Import action" hook={hook} />
      <ImportAction run={importActionCommand.bind(null, hook.id)} />
    </div>
  );
}
