import type { Metadata } from "next";
import { toDraft } from "#components/action-draft.ts";
import { ActionEditor } from "#components/action-editor.tsx";
import { EditorHeader } from "#components/editor-header.tsx";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readEditedAction, readMappingGround } from "#lib/web/read-action-editor.ts";
import { readAction } from "#lib/web/read-named.ts";
import { requireSession } from "#lib/web/session.ts";
import { titleByName } from "../../title-by-name.ts";
import { editorCommands } from "../editor-commands.ts";

type ActionPageProps = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<{ delivery?: string | string[] }>;
};

export async function generateMetadata({ params }: ActionPageProps): Promise<Metadata> {
  return await titleByName(params, readAction, { otherwise: "Action" });
}

export default async function ActionPage({ params, searchParams }: ActionPageProps) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { delivery } = await searchParams;
  const { action, auth } = await orNotFound(readEditedAction(accountId, id));
  const chosen = typeof delivery === "string" ? delivery : undefined;
  const { hook, ...ground } = await orNotFound(readMappingGround(accountId, action.hookId, chosen));
  return (
    <>
      <EditorHeader title={action.name} hook={hook} />
      <ActionEditor
        key={action.id}
        {...ground}
        {...editorCommands({ hookId: hook.id, actionId: action.id })}
        draft={toDraft(action, auth !== null)}
        isNew={false}
        storedAuth={auth === null ? null : { type: auth.type, hint: auth.hint }}
        hookPath={`/hooks/${hook.id}`}
      />
    </>
  );
}
