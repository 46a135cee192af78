import type { Metadata } from "next";
import { ActionEditor } from "#components/actions/action-editor.tsx";
import { toDraft } from "#components/actions/draft/action-draft.ts";
import { DraftActions } from "#components/actions/draft-actions.tsx";
import { EditorHeader } from "#components/actions/editor-header.tsx";
import { ActionSteps } from "#components/actions/steps/action-steps.tsx";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { readEditedAction, readMappingGround } from "#lib/web/pages/read-action-editor.ts";
import { readAction, readHook } from "#lib/web/pages/read-named.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { deleteActionCommand } from "../../hooks/[id]/commands.ts";
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
  const context = serverContext();
  const { id } = await params;
  const { delivery } = await searchParams;
  const { action, auth } = await orNotFound(readEditedAction(context, accountId, id));
  if (action.request === null) return <StepsPage action={action} />;
  const chosen = typeof delivery === "string" ? delivery : undefined;
  const { hook, ...ground } = await orNotFound(
    readMappingGround(context, accountId, action.hookId, chosen),
  );
  return (
    <>
      <ActionHeader action={action} hook={hook} />
      <ActionEditor
        key={action.id}
        {...ground}
        {...editorCommands({ hookId: hook.id, actionId: action.id })}
        draft={toDraft({ ...action, request: action.request }, auth !== null)}
        actionId={action.id}
        version={action.version}
        storedAuth={
          auth === null ? null : { type: auth.type, hint: "hint" in auth ? auth.hint : null }
        }
        hookPath={`/hooks/${hook.id}`}
      />
    </>
  );
}

type ActionHeaderProps = {
  readonly action: ActionRecord;
  readonly hook: { readonly id: string; readonly name: string };
};

/** The form can't hold steps, so an action with steps has no duplicate. */
function ActionHeader({ action: { id, name, request }, hook }: ActionHeaderProps) {
  return (
    <EditorHeader title={name} hook={hook}>
      <DraftActions
        action={{ id, name }}
        hookPath={`/hooks/${hook.id}`}
        canDuplicate={request !== null}
        deleteAction={deleteActionCommand}
      />
    </EditorHeader>
  );
}

/** Steps are changed through the API. */
async function StepsPage({ action }: { readonly action: ActionRecord }) {
  const { accountId } = await requireSession();
  const hook = await orNotFound(readHook(serverContext(), accountId, action.hookId));
  return (
    <>
      <ActionHeader action={action} hook={hook} />
      <div className="grid gap-4 xl:-mx-4 2xl:-mx-16">
        <ActionSteps steps={action.steps ?? []} />
        <p className="text-sm text-muted-foreground">
          Change the steps with <code>PATCH /api/v1/actions/{action.id}</code>.
        </p>
      </div>
    </>
  );
}
