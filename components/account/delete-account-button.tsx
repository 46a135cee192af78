"use client";

import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DeleteAccountButtonProps = {
  readonly accountName: string;
  readonly deleteAccount: (name: string) => Promise<CommandResult<null>>;
};

/** Deletes the account that the user looks at, once its name was typed. */
export function DeleteAccountButton({ accountName, deleteAccount }: DeleteAccountButtonProps) {
  const name = safeText(accountName);
  async function run() {
    const result = await deleteAccount(accountName);
    // A full page load, so that nothing of this account stays in the router's cache.
    if (result.ok) window.location.assign("/");
    return result;
  }
  return (
    <ConfirmButton
      label="Delete account"
      title={`Delete ${name}?`}
      keepLabel="Cancel"
      confirmLabel="Delete account"
      typed={name}
      run={run}
    >
      <p>
        Its catch URLs and API tokens stop working immediately, and all of its members lose access.
      </p>
      <p>
        Hooks, deliveries, runs, events, and secrets are deleted for good. Only the audit log stays
        in the database. You can't undo this.
      </p>
    </ConfirmButton>
  );
}
