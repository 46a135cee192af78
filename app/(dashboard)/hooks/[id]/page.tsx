import type { Metadata } from "next";
import { ActionList, type ActionRowView } from "#components/actions/action-list.tsx";
import { NewActionDraft } from "#components/actions/draft-mark.tsx";
import { FirstAction } from "#components/actions/templates/first-action.tsx";
import { DeliveryList } from "#components/deliveries/delivery-list.tsx";
import { CatchUrlCard, CatchUrlLine } from "#components/hooks/catch-url.tsx";
import { DifferingDuplicates } from "#components/hooks/differing-duplicates.tsx";
import { HandshakeSecret } from "#components/hooks/handshake-secret.tsx";
import { HookFigures } from "#components/hooks/hook-figures.tsx";
import { HookGuide } from "#components/hooks/hook-guide.tsx";
import { HookHeader } from "#components/hooks/hook-header.tsx";
import { MissingSecret } from "#components/hooks/missing-secret.tsx";
import { PendingDeliveries } from "#components/hooks/pending-deliveries.tsx";
import { SendTestEvent } from "#components/hooks/send-test-event.tsx";
import { HookListeners } from "#components/listeners/hook-listeners.tsx";
import { ListenDisclosure, ListenHint } from "#components/listeners/listen-hint.tsx";
import { RefreshOnDelivery } from "#components/lists/refresh-on-delivery.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { ActivityPlots } from "#components/plots/activity-plots.tsx";
import { OpenProblems } from "#components/problems/open-problems.tsx";
import { ProviderSuggestion } from "#components/providers/provider-suggestion.tsx";
import { RegistrationLine } from "#components/registrations/registration-line.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { readRunActivity } from "#lib/services/activity.ts";
import { listDrafts } from "#lib/services/drafts.ts";
import { readHookFigures } from "#lib/services/hooks/read-hooks.ts";
import {
  deleteActionCommand,
  orderActionsCommand,
  setActionEnabledCommand,
} from "#lib/web/actions/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import {
  acceptSelectedCommand,
  countAcceptCommand,
  replaySelectedCommand,
  retrySelectedCommand,
  startAcceptCommand,
} from "#lib/web/deliveries/commands.ts";
import { readDeliveryList } from "#lib/web/deliveries/read-delivery-list.ts";
import {
  addSecretCommand,
  countDuplicatesCommand,
  deleteHookCommand,
  readHandshakeSecretCommand,
  readHookContentsCommand,
  readHookPlotsCommand,
  sendTestCommand,
  setHookStatusCommand,
  showTestCommandCommand,
  verifyPendingCommand,
} from "#lib/web/hooks/commands.ts";
import { readHookPage } from "#lib/web/hooks/read-hook-page.ts";
import { deleteListenerCommand, disconnectListenerCommand } from "#lib/web/listeners/commands.ts";
import { readHookListeners } from "#lib/web/listeners/read-hook-listeners.ts";
import { readFirstPlots } from "#lib/web/plots.ts";
import { readOpenProblems } from "#lib/web/problems/read-problems.ts";
import { readRegistrationLine } from "#lib/web/registrations/read-registration-page.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { readHook } from "#lib/web/request/read-named.ts";
import { jobCommands } from "../../jobs/job-commands.ts";
import { ManagedHere, ManagedRows } from "../../managed-here.tsx";
import { titleByName } from "../../title-by-name.ts";
import { readViewMenu } from "../../views/read-view-menu.ts";

type HookPageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: HookPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { otherwise: "Hook" });
}

export default async function HookPage({ params, searchParams }: HookPageProps) {
  const session = await requireSession();
  const context = await pageContext();
  const { id } = await params;
  const page = await orNotFound(readHookPage(context, id));
  const { hook, actions, guide, nowMs, testTypes, pending, rateLimited, hasHandshakeSecret } = page;
  const path = `/hooks/${hook.id}`;
  const [figures, list, drafts, problems, listeners, registration, { views, commands }] =
    await Promise.all([
      readHookFigures(context, { id: hook.id }),
      readDeliveryList(context, { hookId: hook.id, path }, await searchParams),
      isAllowed(session.role, "hooks:write") ? listDrafts(context, { hookId: hook.id }) : [],
      readOpenProblems(context, { hookId: hook.id }),
      readHookListeners(context, hook.id),
      readRegistrationLine(context, hook.id),
      readViewMenu("deliveries"),
    ]);
  const plots = await readFirstPlots((range) =>
    readRunActivity(context, { of: { hookId: hook.id }, range }),
  );
  const draftOf = (actionId: string | null) =>
    drafts.find((draft) => draft.actionId === actionId)?.updatedAt ?? null;
  // Until the first real event arrives, the page guides to it.
  const isGuiding =
    guide !== null && (guide.delivery?.status !== "accepted" || guide.delivery.isSample);
  const hasDeliveries = guide === null || guide.delivery !== null;
  const provider = (
    <SendTestEvent
      hookId={hook.id}
      eventTypes={testTypes}
      send={sendTestCommand}
      show={showTestCommandCommand}
    />
  );
  return (
    <>
      <HookHeader
        hook={hook}
        nowMs={nowMs}
        current="overview"
        managed={<ManagedHere kind="hook" id={hook.id} />}
        setStatus={setHookStatusCommand}
        deleteHook={deleteHookCommand}
        readContents={readHookContentsCommand}
      >
        {!isGuiding && figures !== null && <CatchUrlLine catchUrl={hook.catchUrl} />}
        <RegistrationLine hookId={hook.id} nowMs={nowMs} registration={registration} />
      </HookHeader>
      {guide !== null && (
        <HookGuide
          hook={{ ...hook, canRegister: hook.canRegister && registration === null }}
          delivery={guide.delivery}
          nowMs={nowMs}
          addSecret={addSecretCommand}
          tryIt={provider}
          onOwnMachine={<ListenHint hook={hook} />}
        />
      )}
      {pending.count > 0 && hook.missing === null && (
        <PendingDeliveries
          hookId={hook.id}
          pending={pending}
          verifyPending={verifyPendingCommand}
        />
      )}
      {page.differingDuplicates > 0 && (
        <DifferingDuplicates
          hookId={hook.id}
          count={page.differingDuplicates}
          countDuplicates={countDuplicatesCommand}
        />
      )}
      {hasHandshakeSecret && (
        <HandshakeSecret
          hookId={hook.id}
          providerName={hook.providerName}
          read={readHandshakeSecretCommand}
        />
      )}
      <ProviderSuggestion hookId={hook.id} suggestion={page.suggestion} />
      {isGuiding && <RefreshOnDelivery hookId={hook.id} afterId={guide.delivery?.id ?? ""} />}
      {!isGuiding && figures === null && <CatchUrlCard hook={hook} />}
      {!isGuiding && <MissingSecret hook={hook} addSecret={addSecretCommand} />}
      {!isGuiding && figures !== null && (
        <HookFigures hookId={hook.id} figures={figures} nowMs={nowMs} />
      )}
      <OpenProblems problems={problems} nowMs={nowMs} />
      <ActivityPlots
        plots={plots}
        read={readHookPlotsCommand.bind(null, hook.id)}
        filter={{ hookId: hook.id }}
      />
      <Actions
        hookId={hook.id}
        provider={hook.provider}
        actions={actions.map((action) => ({ ...action, draftEditedAt: draftOf(action.id) }))}
        newDraftEditedAt={draftOf(null)}
        nowMs={nowMs}
      />
      <HookListeners
        {...listeners}
        nowMs={nowMs}
        disconnect={disconnectListenerCommand}
        deleteListener={deleteListenerCommand}
      />
      {!isGuiding && listeners.listeners.length === 0 && <ListenDisclosure hook={hook} />}
      {hasDeliveries && (
        <section className="grid grid-cols-1 gap-4" aria-labelledby="deliveries">
          <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
            <h2 id="deliveries" className="text-lg font-semibold tracking-tight">
              Deliveries
            </h2>
            {!isGuiding && <Allowed to="hooks:write">{provider}</Allowed>}
          </div>
          {rateLimited > 0 && (
            <Notice tone="caution">
              {describeCount(rateLimited, "request was", "requests were")} rejected in the last 24
              hours for exceeding the rate limit.{" "}
              <Link href={`/hooks/${hook.id}/settings`} className="underline">
                Change the limit
              </Link>
            </Notice>
          )}
          <DeliveryList
            path={path}
            list={list}
            hookId={hook.id}
            isMoving={listeners.isMoving}
            accept={{
              count: countAcceptCommand,
              start: startAcceptCommand,
              ...jobCommands,
            }}
            selected={{
              retry: retrySelectedCommand,
              replay: replaySelectedCommand,
              accept: acceptSelectedCommand,
            }}
            views={{ commands, views: views.filter(({ params }) => params.hookId === hook.id) }}
            empty={
              <EmptyState title="Nothing has arrived yet">
                <p>The first delivery shows up here automatically.</p>
              </EmptyState>
            }
          />
        </section>
      )}
    </>
  );
}

type ActionsProps = {
  readonly hookId: string;
  readonly provider: string;
  readonly actions: readonly ActionRowView[];
  /** When the viewer last edited their draft of a new action. Null: there is none. */
  readonly newDraftEditedAt: Date | null;
  readonly nowMs: number;
};

function Actions({ hookId, provider, actions, newDraftEditedAt, nowMs }: ActionsProps) {
  return (
    <section className="grid grid-cols-1 gap-4" aria-labelledby="actions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="actions" className="text-lg font-semibold tracking-tight">
          Actions
        </h2>
        <Allowed to="hooks:write">
          <div className="flex flex-wrap gap-2">
            <Link href={`/hooks/${hookId}/actions/import`} className={buttonClasses("secondary")}>
              Import
            </Link>
            <Link href={`/hooks/${hookId}/actions/new`} className={buttonClasses("secondary")}>
              New action
            </Link>
          </div>
        </Allowed>
      </div>
      {actions.length > 0 ? (
        <ManagedRows kind="action" rows={actions}>
          <ActionList
            actions={actions}
            nowMs={nowMs}
            setEnabled={setActionEnabledCommand}
            deleteAction={deleteActionCommand}
            order={orderActionsCommand.bind(null, hookId)}
          />
        </ManagedRows>
      ) : (
        <FirstAction hookId={hookId} provider={provider} />
      )}
      <NewActionDraft hookId={hookId} editedAt={newDraftEditedAt} nowMs={nowMs} />
    </section>
  );
}
