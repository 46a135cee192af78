import type { Metadata } from "next";
import { BreakerStatus } from "#components/actions/control/breaker-status.tsx";
import { toDraft } from "#components/actions/draft/action-draft.ts";
import { DraftActions } from "#components/actions/draft-actions.tsx";
import { DraftEditor } from "#components/actions/editor/draft-editor.tsx";
import { EditorHeader } from "#components/actions/editor-header.tsx";
import { ReceiverChoices } from "#components/credentials/receiver-choice.tsx";
import { ActivityPlots } from "#components/plots/activity-plots.tsx";
import { OpenProblems } from "#components/problems/open-problems.tsx";
import { ActionFacts } from "#components/read-only/action-facts.tsx";
import { ReplayDialog } from "#components/replay/replay-dialog.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { describeReadOnly, isAllowed } from "#lib/schema/account/permissions.ts";
import { readMappingSource } from "#lib/services/actions/steps/mapping-source.ts";
import { readRunActivity } from "#lib/services/activity.ts";
import { listReceiverChoices } from "#lib/services/destinations.ts";
import { listShownAuths } from "#lib/web/actions/action-view.ts";
import {
  closeBreakerCommand,
  deleteActionCommand,
  duplicateActionCommand,
  readActionPlotsCommand,
} from "#lib/web/actions/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { startReplayCommand, tryReplayCommand } from "#lib/web/deliveries/commands.ts";
import { readFirstPlots } from "#lib/web/plots.ts";
import { readOpenProblems } from "#lib/web/problems/read-problems.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import {
  listHookChoices,
  readAction,
  readActionWithBreaker,
  readHook,
} from "#lib/web/request/read-named.ts";
import { ManagedHere } from "../../managed-here.tsx";
import { titleByName } from "../../title-by-name.ts";
import { editorCommands } from "../editor-commands.ts";
import { readEditorDraft } from "../read-editor-draft.ts";

type ActionPageProps = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<{ delivery?: string | string[]; backtest?: string | string[] }>;
};

export async function generateMetadata({ params }: ActionPageProps): Promise<Metadata> {
  return await titleByName(params, readAction, { otherwise: "Action" });
}

export default async function ActionPage({ params, searchParams }: ActionPageProps) {
  const context = await pageContext();
  const { id } = await params;
  const { delivery, backtest } = await searchParams;
  const { action, breakerState } = await orNotFound(readActionWithBreaker(context, id));
  const auths = listShownAuths(action, context.sealer);
  const place = { hookId: action.hookId, actionId: action.id };
  const hook = await orNotFound(readHook(context, action.hookId));
  const chosen = typeof delivery === "string" ? delivery : undefined;
  const hooks = await listHookChoices(context, hook);
  const choices = await listReceiverChoices(context, {});
  const plots = await readFirstPlots((range) =>
    readRunActivity(context, { of: { actionId: action.id }, range }),
  );
  const problems = await readOpenProblems(context, place);
  const { role } = await requireSession();
  const draft = toDraft(action, new Set(Object.keys(auths)));
  const hookPath = `/hooks/${hook.id}`;
  const commands = (
    <DraftActions
      action={{ id: action.id, name: action.name }}
      hookPath={hookPath}
      copies={{ hookId: hook.id, hooks, duplicate: duplicateActionCommand.bind(null, action.id) }}
      deleteAction={deleteActionCommand}
    >
      <ReplayDialog
        actionId={action.id}
        tryOut={tryReplayCommand.bind(null, place)}
        start={startReplayCommand.bind(null, place)}
      />
    </DraftActions>
  );
  const activity = (
    <>
      <OpenProblems problems={problems} nowMs={Date.now()} />
      {plots === null && problems.length === 0 && (
        <p className="text-sm text-muted-foreground">It hasn't run in the last 30 days.</p>
      )}
      <ActivityPlots
        plots={plots}
        read={readActionPlotsCommand.bind(null, action.id)}
        filter={{ actionId: action.id }}
      />
    </>
  );
  const notice = (
    <>
      <div className="flex flex-wrap gap-2 empty:hidden">
        <ManagedHere kind="action" id={action.id} />
      </div>
      <BreakerStatus
        state={breakerState}
        nowMs={Date.now()}
        close={closeBreakerCommand.bind(null, action.id)}
      />
    </>
  );
  if (!isAllowed(role, "hooks:write"))
    return (
      <>
        <EditorHeader title={action.name} hook={hook}>
          {commands}
        </EditorHeader>
        {activity}
        {notice}
        <Notice>{describeReadOnly(role, "hooks:write")}</Notice>
        <ActionFacts draft={draft} storedAuths={auths} choices={choices} />
      </>
    );
  return (
    <ReceiverChoices choices={choices}>
      <DraftEditor
        key={action.id}
        action={{ id: action.id, draft, version: action.version, storedAuths: auths }}
        saved={{ commands, activity, activityTitle: titleOfActivity(problems.length) }}
        notice={notice}
        source={{
          ...(await orNotFound(readMappingSource(context, { ...place, chosen }))),
          hookPath,
          hookName: hook.name,
        }}
        stored={await orNotFound(readEditorDraft(place))}
        backtestId={typeof backtest === "string" ? backtest : null}
        commands={editorCommands(place)}
      />
    </ReceiverChoices>
  );
}

function titleOfActivity(problemCount: number): string {
  if (problemCount === 0) return "Activity";
  return `Activity · ${describeCount(problemCount, "problem")}`;
}
