import type { Metadata } from "next";
import Link from "next/link";
import { ActionList, type ActionRowView } from "#components/action-list.tsx";
import { ArrivedSecret } from "#components/arrived-secret.tsx";
import { CatchUrlCard } from "#components/catch-url-card.tsx";
import { DeliveryList } from "#components/delivery-list.tsx";
import { HookGuide } from "#components/hook-guide.tsx";
import { HookHeader } from "#components/hook-header.tsx";
import { KeptDeliveries } from "#components/kept-deliveries.tsx";
import { RefreshOnDelivery } from "#components/refresh-on-delivery.tsx";
import { SenderSuggestion } from "#components/sender-suggestion.tsx";
import { TestSender } from "#components/test-sender.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { SearchParams } from "#lib/web/list-query.ts";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readDeliveryList } from "#lib/web/read-delivery-list.ts";
import { readHookPage } from "#lib/web/read-hook-page.ts";
import { readHook } from "#lib/web/read-named.ts";
import { readSenderSuggestion } from "#lib/web/read-sender-suggestion.ts";
import { requireSession } from "#lib/web/session.ts";
import { titleByName } from "../../title-by-name.ts";
import { addSecretCommand, readArrivedSecretCommand, verifyKeptCommand } from "../commands.ts";
import {
  deleteActionCommand,
  orderActionsCommand,
  setActionEnabledCommand,
  setHookStatusCommand,
} from "./commands.ts";
import { sendTestCommand, showTestCommandCommand } from "./test-commands.ts";

type HookPageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: HookPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { otherwise: "Hook" });
}

export default async function HookPage({ params, searchParams }: HookPageProps) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { hook, actions, guide, nowMs, testTypes, kept, hasArrivedSecret } = await orNotFound(
    readHookPage(accountId, id),
  );
  const path = `/hooks/${hook.id}`;
  const [list, suggestion] = await Promise.all([
    readDeliveryList(accountId, { hookId: hook.id, path }, await searchParams),
    readSenderSuggestion(accountId, hook),
  ]);
  // As long as nothing can be mapped the way there is what the page is for.
  const isGuiding = guide !== null && guide.delivery?.status !== "accepted";
  const hasDeliveries = guide === null || guide.delivery !== null;
  const sender = (
    <TestSender
      hookId={hook.id}
      eventTypes={testTypes}
      send={sendTestCommand}
      show={showTestCommandCommand}
    />
  );
  return (
    <>
      <HookHeader hook={hook} nowMs={nowMs} current="overview" setStatus={setHookStatusCommand} />
      {guide !== null && (
        <HookGuide
          hook={hook}
          delivery={guide.delivery}
          nowMs={nowMs}
          addSecret={addSecretCommand}
          tryIt={sender}
        />
      )}
      {kept.count > 0 && hook.missing === null && (
        <KeptDeliveries hookId={hook.id} kept={kept} verifyKept={verifyKeptCommand} />
      )}
      {hasArrivedSecret && (
        <ArrivedSecret hookId={hook.id} senderName={hook.providerName} read={readArrivedSecretCommand} />
      )}
      <SenderSuggestion hookId={hook.id} suggestion={suggestion} />
      {isGuiding && <RefreshOnDelivery hookId={hook.id} afterId={guide.delivery?.id ?? ""} />}
      {!isGuiding && <CatchUrlCard hook={hook} addSecret={addSecretCommand} />}
      <Actions hookId={hook.id} actions={actions} />
      {hasDeliveries && (
        <section className="grid grid-cols-1 gap-4" aria-labelledby="deliveries">
          <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
            <h2 id="deliveries" className="text-lg font-semibold tracking-tight">
              Deliveries
            </h2>
            {!isGuiding && sender}
          </div>
          <DeliveryList
            path={path}
            list={list}
            hookId={hook.id}
            empty={
              <EmptyState title="Nothing has arrived yet">
                <p>The first delivery shows up here by itself.</p>
              </EmptyState>
            }
          />
        </section>
      )}
    </>
  );
}

function Actions({ hookId, actions }: { hookId: string; actions: readonly ActionRowView[] }) {
  return (
    <section className="grid grid-cols-1 gap-4" aria-labelledby="actions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="actions" className="text-lg font-semibold tracking-tight">
          Actions
        </h2>
        <Link href={`/hooks/${hookId}/actions/new`} className={buttonClasses("secondary")}>
          New action
        </Link>
      </div>
      {actions.length > 0 ? (
        <ActionList
          actions={actions}
          setEnabled={setActionEnabledCommand}
          deleteAction={deleteActionCommand}
          order={orderActionsCommand.bind(null, hookId)}
        />
      ) : (
        <p className="text-sm text-muted-foreground">
          None yet. An action calls another system for each new delivery, with fields of what arrived.
        </p>
      )}
    </section>
  );
}
