import { type ReactNode, Suspense } from "react";
import { AcceptPanel } from "#components/deliveries/accept-panel.tsx";
import {
  DiagnosisFrame,
  DiagnosisLoading,
  DiagnosisPanel,
} from "#components/deliveries/diagnosis-panel.tsx";
import { DeliveryPartsLoading } from "#components/shell/loading-pages.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { acceptCommand, applyFixCommand } from "#lib/web/deliveries/commands.ts";
import { beginDiagnosis, type Diagnosis } from "#lib/web/deliveries/read-diagnosis.ts";

type DeliveryDiagnosisProps = {
  readonly deliveryId: string;
  /** The rest of the page. Shown with the diagnosis, which would move it. */
  readonly children: ReactNode;
};

/** The diagnosis and what follows it. If it takes long, both stream after the header. */
export async function DeliveryDiagnosis({ deliveryId, children }: DeliveryDiagnosisProps) {
  const { early, whole } = await beginDiagnosis(await pageContext(), deliveryId);
  if (early !== null)
    return (
      <>
        <Panels deliveryId={deliveryId} diagnosis={early} />
        {children}
      </>
    );
  const loading = (
    <>
      <DiagnosisLoading />
      <DeliveryPartsLoading />
    </>
  );
  return (
    <Suspense fallback={loading}>
      <LatePanels deliveryId={deliveryId} diagnosis={whole} />
      {children}
    </Suspense>
  );
}

async function LatePanels({
  deliveryId,
  diagnosis,
}: {
  deliveryId: string;
  diagnosis: Promise<Diagnosis>;
}) {
  return <Panels deliveryId={deliveryId} diagnosis={await diagnosis} />;
}

function Panels({ deliveryId, diagnosis }: { deliveryId: string; diagnosis: Diagnosis }) {
  const { acceptance, read } = diagnosis;
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
