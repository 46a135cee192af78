import type { Metadata } from "next";
import { toDraft } from "#components/action-draft.ts";
import { ActionEditor } from "#components/action-editor.tsx";
import { EditorHeader } from "#components/editor-header.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readEditedAction, readMappingGround } from "#lib/web/read-action-editor.ts";
import { requireSession } from "#lib/web/session.ts";
import { previewDraftCommand, readPayloadCommand, saveActionCommand } from "../commands.ts";

export const metadata: Metadata = { title: "Action" };

export default async function ActionPage({ params }: { params: Promise<{ id: string }> }) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { action, auth } = await orNotFound(readEditedAction(accountId, id));
  const { hook, deliveries, payload } = await orNotFound(readMappingGround(accountId, action.hookId));
  const place = { hookId: hook.id, actionId: action.id };
  return (
    <>
      <EditorHeader title={action.name} hook={hook} />
      {action.filter !== null && (
        <Notice>This action has a filter, which was set through the API. Saving here keeps it.</Notice>
      )}
      <ActionEditor
        key={action.id}
        draft={toDraft(action, auth !== null)}
        storedAuth={auth === null ? null : { type: auth.type, hint: auth.hint }}
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
