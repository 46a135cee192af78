"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DeleteRecipientProps = {
  readonly name: string;
  readonly remove: () => Promise<CommandResult<null>>;
};

/** Asks for confirmation, because portal links stop working. */
export function DeleteRecipient({ name, remove }: DeleteRecipientProps) {
  const router = useRouter();

  async function run() {
    const result = await remove();
    if (!result.ok) return result;
    toast(`“${safeText(name)}” is deleted.`);
    router.push("/recipients");
    return result;
  }

  return (
    <ConfirmButton
      label="Delete"
      ariaLabel="Delete recipient"
      title={`Delete “${safeText(name)}”?`}
      keepLabel="Cancel"
      confirmLabel="Delete recipient"
      run={run}
    >
      <p>
        Its portal links stop working. Its subscriptions must be deleted first. Its events stay
        until they are cleaned up.
      </p>
    </ConfirmButton>
  );
}
