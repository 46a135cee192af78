import type { Metadata } from "next";
import { DeliveryHeader, titleOfDelivery } from "#components/deliveries/delivery-header.tsx";
import { DeliveryTimeline } from "#components/deliveries/delivery-timeline.tsx";
import { DifferingDuplicates } from "#components/hooks/differing-duplicates.tsx";
import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { MaskedNotice } from "#components/payload/masked-notice.tsx";
import { PayloadPanel } from "#components/payload/payload-panel.tsx";
import { ProviderSuggestion } from "#components/providers/provider-suggestion.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { maskedFieldsOf } from "#lib/services/frame/actor.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { deleteDeliveryCommand, replayCommand } from "#lib/web/deliveries/commands.ts";
import { readDeliveryPage } from "#lib/web/deliveries/read-delivery-page.ts";
import { countDuplicatesCommand } from "#lib/web/hooks/commands.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import {
  cancelRunCommand,
  resolveStepCommand,
  retryFromCommand,
  retryRunCommand,
} from "#lib/web/runs/commands.ts";
import { titleByName } from "../../title-by-name.ts";
import { DeliveryDiagnosis } from "./diagnosis.tsx";

type DeliveryPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: DeliveryPageProps): Promise<Metadata> {
  const readNamed = async (...of: Parameters<typeof readDeliveryPage>) => {
    const { delivery } = await readDeliveryPage(...of);
    return { name: titleOfDelivery(delivery) };
  };
  return await titleByName(params, readNamed, { part: "Delivery", otherwise: "Delivery" });
}

export default async function DeliveryPage({ params }: DeliveryPageProps) {
  const context = await pageContext();
  const { id } = await params;
  const page = await orNotFound(readDeliveryPage(context, id));
  const { delivery, hook, nowMs } = page;
  const parts = (
    <>
      <MaskedNotice fields={maskedFieldsOf(context.actor)} />
      <ProviderSuggestion hookId={hook.id} suggestion={page.suggestion} />
      {delivery.duplicateDiffers && delivery.batchId === null && hook.canCountDuplicates && (
        <DifferingDuplicates
          hookId={hook.id}
          count={null}
          countDuplicates={countDuplicatesCommand}
        />
      )}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Card className="min-w-0 p-5">
          <h2 className="mb-4 font-semibold">What happened</h2>
          <DeliveryTimeline
            delivery={delivery}
            hook={hook}
            idleActions={page.idleActions}
            runs={page.runs}
            olderRuns={page.olderRuns}
            duplicates={page.duplicates}
            responses={page.responses}
            events={page.events}
            nowMs={nowMs}
            retryRun={retryRunCommand}
            retryFrom={retryFromCommand}
            resolveStep={resolveStepCommand}
            cancelRun={cancelRunCommand}
          />
        </Card>
        <Card className="min-w-0">
          <h2 className="px-5 pt-5 pb-2 font-semibold">Payload received</h2>
          <PayloadPanel
            body={page.body}
            headers={page.headers}
            areHeadersCut={page.areHeadersCut}
            query={page.query}
            parts={page.parts}
          />
        </Card>
      </div>
    </>
  );
  return (
    <>
      <RefreshWhile isOn={page.isMoving} />
      <DeliveryHeader
        delivery={delivery}
        hook={hook}
        nowMs={nowMs}
        newerId={page.newerId}
        olderId={page.olderId}
        curl={page.curl}
        replayable={page.replayable}
        replay={replayCommand.bind(null, delivery.id)}
        remove={deleteDeliveryCommand.bind(null, delivery.id)}
      />
      {delivery.status === "rejected" ? (
        <DeliveryDiagnosis deliveryId={delivery.id}>{parts}</DeliveryDiagnosis>
      ) : (
        parts
      )}
    </>
  );
}
