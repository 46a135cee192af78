import { AcceptPanel } from "#components/deliveries/accept-panel.tsx";
import { DiagnosisFrame, DiagnosisPanel } from "#components/deliveries/diagnosis-panel.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { readDiagnosis } from "#lib/web/deliveries/read-diagnosis.ts";
import { acceptCommand } from "../accept-commands.ts";
import { applyFixCommand } from "./commands.ts";

/**
 * The diagnosis streams after the rest of the page, because it can take a second if nothing
 * explains the delivery.
 */
export async function DeliveryDiagnosis({ deliveryId }: { deliveryId: string }) {
  const { acceptance, read } = await readDiagnosis(deliveryId);
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
