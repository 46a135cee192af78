"use client";

import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";

type StatusButtonProps = {
  readonly subscription: {
    readonly id: string;
    readonly receiverUrl: string;
    readonly status: SubscriptionStatus;
  };
  readonly enable: (id: string) => Promise<CommandResult<null>>;
  readonly disable: (id: string) => Promise<CommandResult<null>>;
};

export function StatusButton({ subscription, enable, disable }: StatusButtonProps) {
  const { id, status, receiverUrl } = subscription;
  if (status === "disabled")
    return (
      <CommandButton
        look="primary"
        done="Enabled. Sends that were held go out now."
        run={enable.bind(null, id)}
      >
        Enable
      </CommandButton>
    );
  if (status === "pending")
    return (
      <CommandButton look="primary" done="The URL has answered." run={enable.bind(null, id)}>
        Check again
      </CommandButton>
    );

  async function run(): Promise<CommandResult<null>> {
    const result = await disable(id);
    if (result.ok) toast("Disabled.", { undo: enable.bind(null, id) });
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
      <p className="break-words">
        {safeText(receiverUrl)} gets no new events. Sends in the queue are held until you enable it
        again. After that, “Replay missing” sends what it missed.
      </p>
    </ConfirmButton>
  );
}
