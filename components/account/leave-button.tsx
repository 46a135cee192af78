"use client";

import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type LeaveButtonProps = {
  readonly accountName: string;
  readonly leave: () => Promise<CommandResult<null>>;
};

/** Removes the user from the account that they look at. */
export function LeaveButton({ accountName, leave }: LeaveButtonProps) {
  const name = safeText(accountName);
  async function run() {
    const result = await leave();
    // A full page load, so that nothing of this account stays in the router's cache.
    if (result.ok) window.location.assign("/");
    return result;
  }
  return (
    <ConfirmButton
      label="Leave account"
      title={`Leave ${name}?`}
      keepLabel="Cancel"
      confirmLabel="Leave account"
      run={run}
    >
      <p>What you made stays. To come back, you need an invitation.</p>
    </ConfirmButton>
  );
}
