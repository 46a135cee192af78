"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DeleteSubscriptionProps = {
  readonly name: string;
  readonly remove: () => Promise<CommandResult<null>>;
  /** The page to open afterwards. */
  readonly listPath?: string;
};

/** Asks for confirmation, because queued sends are canceled too. */
export function DeleteSubscription({
  name,
  remove,
  listPath = "/subscriptions",
}: DeleteSubscriptionProps) {
  const router = useRouter();

  async function run() {
    const result = await remove();
    if (!result.ok) return result;
    toast(`“${safeText(name)}” is deleted.`);
    router.push(listPath);
    return result;
  }

  return (
    <ConfirmButton
      label="Delete"
      ariaLabel="Delete subscription"
      title={`Delete “${safeText(name)}”?`}
      keepLabel="Cancel"
      confirmLabel="Delete subscription"
      run={run}
    >
      <p>
        It gets no more events, sends in the queue are cancelled, and its secrets are permanently
        deleted. Its past sends aren't shown any more.
      </p>
    </ConfirmButton>
  );
}
