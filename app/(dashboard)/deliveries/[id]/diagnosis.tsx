import { DiagnosisFrame, DiagnosisPanel } from "#components/diagnosis-panel.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { readDiagnosis } from "#lib/web/read-diagnosis.ts";
import { applyFixCommand } from "./diagnosis-commands.ts";

/** Comes after the rest of the page: the doctor may take a second where nothing explains a delivery. */
export async function DeliveryDiagnosis({
  accountId,
  deliveryId,
}: {
  accountId: string;
  deliveryId: string;
}) {
  const read = await readDiagnosis(accountId, deliveryId);
  if (read.ok)
    return (
      <DiagnosisPanel
        hookId={read.hookId}
        diagnosis={read.diagnosis}
        applyFix={applyFixCommand.bind(null, deliveryId)}
      />
    );
  return (
    <DiagnosisFrame>
      <Notice tone="caution">{read.message}</Notice>
    </DiagnosisFrame>
  );
}
