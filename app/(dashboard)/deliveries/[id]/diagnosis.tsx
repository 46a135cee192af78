import { AcceptPanel } from "#components/deliveries/accept-panel.tsx";
import { DiagnosisFrame, DiagnosisPanel } from "#components/deliveries/diagnosis-panel.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { readAcceptance } from "#lib/web/pages/read-acceptance.ts";
import { readDiagnosis } from "#lib/web/pages/read-diagnosis.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { acceptCommand } from "../accept-commands.ts";
import { applyFixCommand } from "./diagnosis-commands.ts";

/**
 * Streams after the rest of the page: a diagnosis can take a second if nothing explains the
 * delivery.
 */
export async function DeliveryDiagnosis({
  accountId,
  deliveryId,
}: {
  accountId: string;
  deliveryId: string;
}) {
  const context = serverContext();
  const [read, acceptance] = await Promise.all([
    readDiagnosis(context, accountId, deliveryId),
    readAcceptance(context, accountId, deliveryId),
  ]);
  return (
    <>
      {acceptance !== null && (
        <AcceptPanel acceptance={acceptance} accept={acceptCommand.bind(null, deliveryId)} />
      )}
      {read.ok ? (
        <DiagnosisPanel
          hookId={read.hookId}
          diagnosis={read.diagnosis}
          applyFix={applyFixCommand.bind(null, deliveryId)}
        />
      ) : (
        <DiagnosisFrame>
          <Notice tone="caution">{read.message}</Notice>
        </DiagnosisFrame>
      )}
    </>
  );
}
