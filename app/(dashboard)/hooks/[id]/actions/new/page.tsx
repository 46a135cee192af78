import type { Metadata } from "next";
import { newDraft } from "#components/action-draft.ts";
import { ActionEditor } from "#components/action-editor.tsx";
import { EditorHeader } from "#components/editor-header.tsx";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readMappingGround } from "#lib/web/read-action-editor.ts";
import { requireSession } from "#lib/web/session.ts";
import { previewDraftCommand, readPayloadCommand, saveActionCommand } from "../../../../actions/commands.ts";

export const metadata: Metadata = { title: "New action" };

export default async function NewActionPage({ params }: { params: Promise<{ id: string }> }) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { hook, deliveries, payload } = await orNotFound(readMappingGround(accountId, id));
  const place = { hookId: hook.id, actionId: null };
  return (
    <>
      <EditorHeader title="New action" hook={hook} />
      <ActionEditor
        draft={newDraft}
        storedAuth={null}
        hookPath={`/hooks/${hook.id}`}
        deliveries={deliveries}
        payload={payload}
        save={saveActionCommand.bind(null, place)}
        previewDraft={previewDraftCommand.bind(null, place)}
        readPayload={readPayloadCommand}
      />
    </>
  );
}
