"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DeleteDeliveryProps = {
  readonly hookId: string;
  readonly remove: () => Promise<CommandResult<null>>;
};

/** Asks for confirmation, then opens the hook, since this page is gone afterwards. */
export function DeleteDelivery({ hookId, remove }: DeleteDeliveryProps) {
  const router = useRouter();

  async function run() {
    const result = await remove();
    if (result.ok) {
      toast("Delivery deleted.");
      router.push(`/hooks/${hookId}`);
    }
    return result;
  }

  return (
    <ConfirmButton
      label="Delete"
      ariaLabel="Delete delivery"
      title="Delete this delivery?"
      keepLabel="Cancel"
      confirmLabel="Delete delivery"
      run={run}
    >
      <p>
        Its runs and their attempts are deleted too, and pending requests are cancelled. If the same
        event is sent again, it still counts as a duplicate.
      </p>
    </ConfirmButton>
  );
}
