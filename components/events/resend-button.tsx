"use client";

import { useState } from "react";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ResendButtonProps = {
  /** The number of failed sends. */
  readonly failed: number;
  /** Returns the number of queued sends. */
  readonly resend: (onlyFailed: boolean) => Promise<CommandResult<number>>;
};

/**
 * Sends the event again to all subscriptions that match it now, or only to those whose send failed.
 */
export function ResendButton({ failed, resend }: ResendButtonProps) {
  const [chosen, setChosen] = useState<"failed" | "all">("failed");
  // The page may have been opened before a send failed.
  const to = failed > 0 ? chosen : "all";

  async function run(): Promise<CommandResult<number>> {
    const result = await resend(to === "failed");
    if (result.ok)
      toast(result.value === 1 ? "1 new send is queued." : `${result.value} new sends are queued.`);
    return result;
  }

  return (
    <ConfirmButton
      label="Resend"
      look="primary"
      title="Send this event again?"
      keepLabel="Cancel"
      confirmLabel="Resend event"
      confirmLook="primary"
      run={run}
    >
      {failed > 0 && (
        <ChoiceGroup
          label="To"
          name="to"
          value={to}
          onChange={setChosen}
          choices={[
            {
              value: "failed",
              title: "Subscriptions that it failed for",
              text: `Those whose last send failed, ${failed} at most.`,
            },
            {
              value: "all",
              title: "All matching subscriptions",
              text: "Those that get events of this type and recipient now.",
            },
          ]}
        />
      )}
      <p>
        Receivers get the same body with the same webhook-id, so one that has it already can tell
        that it is a repeat.
      </p>
    </ConfirmButton>
  );
}
