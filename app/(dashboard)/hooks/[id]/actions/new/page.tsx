import type { Metadata } from "next";
import { newDraft } from "#components/action-draft.ts";
import { ActionEditor } from "#components/action-editor.tsx";
import { EditorHeader } from "#components/editor-header.tsx";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readMappingGround } from "#lib/web/read-action-editor.ts";
import { readHook } from "#lib/web/read-named.ts";
import { requireSession } from "#lib/web/session.ts";
import { editorCommands } from "../../../../actions/editor-commands.ts";
import { titleByName } from "../../../../title-by-name.ts";

type NewActionPageProps = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<{ delivery?: string | string[] }>;
};

export async function generateMetadata({ params }: NewActionPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "New action", otherwise: "New action" });
}

export default async function NewActionPage({ params, searchParams }: NewActionPageProps) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { delivery } = await searchParams;
  const chosen = typeof delivery === "string" ? delivery : undefined;
  const { hook, ...ground } = await orNotFound(readMappingGround(accountId, id, chosen));
  return (
    <>
      <EditorHeader title="New action" hook={hook} />
      <ActionEditor
        {...ground}
        {...editorCommands({ hookId: hook.id, actionId: null })}
        draft={newDraft}
        isNew
        storedAuth={null}
        hookPath={`/hooks/${hook.id}`}
      />
    </>
  );
}
