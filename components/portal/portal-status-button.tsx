"use client";

import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";

type PortalStatusButtonProps = {
  readonly status: SubscriptionStatus;
  readonly enable: () => Promise<CommandResult<null>>;
  readonly disable: () => Promise<CommandResult<null>>;
};

export function PortalStatusButton({ status, enable, disable }: PortalStatusButtonProps) {
  if (status === "pending") return null;
  if (status === "disabled")
    return (
      <CommandButton look="primary" done="Enabled. Sends that were held go out now." run={enable}>
        Enable
      </CommandButton>
    );

  async function run(): Promise<CommandResult<null>> {
    const result = await disable();
    if (result.ok) toast("Disabled.", { undo: enable });
    return result;
  }

  return (
    <ConfirmButton
      label="Disable"
      look="secondary"
      title="Disable this subscription?"
      keepLabel="Cancel"
      confirmLabel="Disable subscription"
      run={run}
    >
      <p>
        It gets no new events, and missed events aren't sent later. Sends in the queue are held
        until you enable it again.
      </p>
    </ConfirmButton>
  );
}
