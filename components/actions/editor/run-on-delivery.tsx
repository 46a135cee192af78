"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type RunOnDeliveryProps = {
  readonly actionId: string;
  readonly deliveryId: string;
  readonly replay: (
    deliveryId: string,
    actionIds: readonly string[],
  ) => Promise<CommandResult<number>>;
};

/**
 * The next step after saving: run the action on the delivery it was written for and open the call.
 */
export function RunOnDelivery({ actionId, deliveryId, replay }: RunOnDeliveryProps) {
  const router = useRouter();

  async function run(): Promise<CommandResult<number>> {
    const result = await replay(deliveryId, [actionId]);
    if (result.ok) router.push(`/deliveries/${deliveryId}`);
    return result;
  }

  return (
    <ConfirmButton
      label="Run on this delivery"
      look="secondary"
      title="Run this action on the chosen delivery?"
      keepLabel="Cancel"
      confirmLabel="Run action"
      confirmLook="primary"
      run={run}
    >
      <p>
        This sends a live request, with the usual retries. If the action already ran on this
        delivery, the receiver gets it again with a new Idempotency-Key.
      </p>
    </ConfirmButton>
  );
}
