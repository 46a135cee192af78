"use client";

import { DeleteButton } from "#components/ui/feedback/delete-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DeleteRecipientProps = {
  readonly name: string;
  readonly remove: () => Promise<CommandResult<null>>;
};

/** Asks for confirmation, because portal links stop working. */
export function DeleteRecipient({ name, remove }: DeleteRecipientProps) {
  return (
    <DeleteButton what="recipient" name={name} remove={remove} listPath="/recipients">
      Its portal links stop working. Its subscriptions must be deleted first. Its events stay until
      they are cleaned up.
    </DeleteButton>
  );
}
