import type { Metadata } from "next";
import { ActionEditor } from "#components/actions/action-editor.tsx";
import { type ActionDraft, newDraft, toDraft } from "#components/actions/draft/action-draft.ts";
import { EditorHeader } from "#components/actions/editor-header.tsx";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { readEditedAction, readMappingGround } from "#lib/web/pages/read-action-editor.ts";
import { readHook } from "#lib/web/pages/read-named.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { editorCommands } from "../../../../actions/editor-commands.ts";
import { titleByName } from "../../../../title-by-name.ts";

type NewActionPageProps = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<{
    delivery?: string | string[];
    /** An action to start from. Its credentials can't be read, so they aren't copied. */
    from?: string | string[];
  }>;
};

export async function generateMetadata({ params }: NewActionPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "New action", otherwise: "New action" });
}

export default async function NewActionPage({ params, searchParams }: NewActionPageProps) {
  const { accountId } = await requireSession();
  const context = serverContext();
  const { id } = await params;
  const { delivery, from: copied } = await searchParams;
  const from =
    typeof copied === "string"
      ? (await orNotFound(readEditedAction(context, accountId, copied))).action
      : null;
  const chosen = typeof delivery === "string" ? delivery : undefined;
  const { hook, ...ground } = await orNotFound(
    readMappingGround(context, accountId, { hookId: id, actionId: null }, chosen),
  );
  return (
    <>
      <EditorHeader title="New action" hook={hook} />
      <ActionEditor
        {...ground}
        {...editorCommands({ hookId: hook.id, actionId: null })}
        draft={from === null ? newDraft : toCopy(from)}
        actionId={null}
        version={null}
        storedAuths={{}}
        hookPath={`/hooks/${hook.id}`}
      />
    </>
  );
}

function toCopy(from: ActionRecord): ActionDraft {
  const copy = toDraft(from, new Set());
  return { ...copy, name: `${from.name} (copy)`, position: "" };
}
