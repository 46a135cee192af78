import type { Metadata } from "next";
import { newDraft } from "#components/actions/draft/action-draft.ts";
import { DraftEditor } from "#components/actions/editor/draft-editor.tsx";
import { EditorHeader } from "#components/actions/editor-header.tsx";
import { limitToDelivery } from "#components/actions/filter/limit-filter.ts";
import { readEditorStart } from "#components/actions/templates/editor-start.ts";
import { listTemplateStarts } from "#components/actions/templates/list-template-starts.ts";
import { ReceiverChoices } from "#components/credentials/receiver-choice.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeMissingRole, isAllowed } from "#lib/schema/account/permissions.ts";
import { readMappingSource } from "#lib/services/actions/steps/mapping-source.ts";
import { listReceiverChoices } from "#lib/services/destinations.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { readHook } from "#lib/web/request/read-named.ts";
import { editorCommands } from "../../../../actions/editor-commands.ts";
import { readEditorDraft } from "../../../../actions/read-editor-draft.ts";
import { titleByName } from "../../../../title-by-name.ts";

type NewActionPageProps = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<
    Partial<Record<"delivery" | "start" | "template" | "backtest", string | string[]>>
  >;
};

export async function generateMetadata({ params }: NewActionPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "New action", otherwise: "New action" });
}

export default async function NewActionPage({ params, searchParams }: NewActionPageProps) {
  const context = await pageContext();
  const { id } = await params;
  const { delivery, start, template: templateId, backtest } = await searchParams;
  const hook = await orNotFound(readHook(context, id));
  const { role } = await requireSession();
  if (!isAllowed(role, "hooks:write"))
    return (
      <>
        <EditorHeader title="New action" hook={hook} />
        <Notice>{describeMissingRole(role, "hooks:write")}</Notice>
      </>
    );
  const place = { hookId: hook.id, actionId: null };
  const chosen = typeof delivery === "string" ? delivery : undefined;
  const mapping = await orNotFound(readMappingSource(context, { ...place, chosen }));
  const stored = await orNotFound(readEditorDraft(place));
  const choices = await listReceiverChoices(context, {});
  const templates = listTemplateStarts(hook.provider);
  const wanted = templates.find((one) => one.id === templateId);
  // A template must not replace what was typed.
  const template = stored.found === null ? wanted : undefined;
  return (
    <ReceiverChoices choices={choices}>
      <DraftEditor
        action={{
          id: null,
          draft: limitToDelivery(template?.draft ?? newDraft, mapping, chosen),
          version: null,
          storedAuths: {},
        }}
        saved={null}
        notice={<TemplateNotice wanted={wanted ?? null} isUsed={template !== undefined} />}
        source={{ ...mapping, hookPath: `/hooks/${hook.id}`, hookName: hook.name }}
        stored={stored}
        backtestId={typeof backtest === "string" ? backtest : null}
        starts={{ templates, startWith: readEditorStart(start) }}
        commands={editorCommands(place)}
      />
    </ReceiverChoices>
  );
}

type TemplateNoticeProps = {
  /** The template that the URL names. */
  readonly wanted: { readonly title: string; readonly fillIn: readonly string[] } | null;
  readonly isUsed: boolean;
};

function TemplateNotice({ wanted, isUsed }: TemplateNoticeProps) {
  if (wanted === null) return null;
  const { title, fillIn } = wanted;
  return (
    <Notice>
      {isUsed
        ? `Filled in from the template “${title}”. Still needed: ${fillIn.join(" · ")}.`
        : `This is your draft of a new action. Discard it to start from the template “${title}”.`}
    </Notice>
  );
}
