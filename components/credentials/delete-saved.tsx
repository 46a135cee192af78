"use client";

import { DeleteButton } from "#components/ui/feedback/delete-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DeleteSavedProps = {
  readonly what: "destination" | "credential";
  readonly name: string;
  readonly remove: () => Promise<CommandResult<null>>;
};

/**
 * Asks for confirmation. The server rejects the request while something uses it, and lists what
 * does.
 */
export function DeleteSaved({ what, name, remove }: DeleteSavedProps) {
  return (
    <DeleteButton what={what} name={name} remove={remove} listPath={`/${what}s`}>
      This can't be undone. Actions that use it have to use another one first.
    </DeleteButton>
  );
}
