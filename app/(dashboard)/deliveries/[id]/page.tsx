import type { Metadata } from "next";
import Link from "next/link";
import { Suspense } from "react";
import { DeliveryTimeline } from "#components/delivery-timeline.tsx";
import { deliveryStatusWords } from "#components/describe-delivery.ts";
import { DiagnosisLoading } from "#components/diagnosis-panel.tsx";
import { PayloadPanel } from "#components/payload-panel.tsx";
import { RefreshWhile } from "#components/refresh-while.tsx";
import { SenderSuggestion } from "#components/sender-suggestion.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { CommandButton } from "#components/ui/command-button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { safeText } from "#components/ui/safe-text.ts";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readDeliveryPage } from "#lib/web/read-delivery-page.ts";
import { requireSession } from "#lib/web/session.ts";
import { cancelRunCommand, replayCommand, retryRunCommand } from "./commands.ts";
import { DeliveryDiagnosis } from "./diagnosis.tsx";

export const metadata: Metadata = { title: "Delivery" };

export default async function DeliveryPage({ params }: { params: Promise<{ id: string }> }) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const page = await orNotFound(readDeliveryPage(accountId, id));
  const { delivery, hook, nowMs } = page;
  const status = deliveryStatusWords[delivery.status];
  return (
    <>
      <RefreshWhile isOn={page.isMoving} />
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 flex-1 basis-80 gap-1.5">
          <p className="text-sm text-muted-foreground">
            <Link href={`/hooks/${hook.id}`} className="break-words underline-offset-4 hover:underline">
              {safeText(hook.name)}
            </Link>
          </p>
          <h1 className="text-2xl font-semibold tracking-tight break-words">
            {safeText(delivery.eventType ?? "Delivery without an event type")}
          </h1>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
            <Badge tone={status.tone}>{status.words}</Badge>
            <RelativeTime at={delivery.receivedAt} nowMs={nowMs} />
            <code className="min-w-0 font-mono text-xs break-all">
              {safeText(delivery.eventId ?? "no event id")}
            </code>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          {page.curl !== null && <CopyButton text={page.curl} what="as curl" label="Copy as curl" />}
          {delivery.bodySize > 0 && (
            <a href={`/api/deliveries/${delivery.id}/raw`} download className={buttonClasses("secondary")}>
              Download raw
            </a>
          )}
          {hook.canReplay && (
            <CommandButton
              look="primary"
              done="Its actions run again."
              run={replayCommand.bind(null, delivery.id)}
            >
              Replay all
            </CommandButton>
          )}
        </div>
      </div>
      {delivery.status === "rejected" && (
        <Suspense fallback={<DiagnosisLoading />}>
          <DeliveryDiagnosis accountId={accountId} deliveryId={delivery.id} />
        </Suspense>
      )}
      <SenderSuggestion hookId={hook.id} suggestion={page.suggestion} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Card className="min-w-0 p-5">
          <h2 className="mb-4 font-semibold">What happened</h2>
          <DeliveryTimeline
            delivery={delivery}
            hook={hook}
            runs={page.runs}
            olderRuns={page.olderRuns}
            nowMs={nowMs}
            retryRun={retryRunCommand}
            cancelRun={cancelRunCommand}
          />
        </Card>
        <Card className="min-w-0">
          <h2 className="px-5 pt-5 pb-2 font-semibold">What arrived</h2>
          <PayloadPanel body={page.body} headers={page.headers} areHeadersCut={page.areHeadersCut} />
        </Card>
      </div>
    </>
  );
}
