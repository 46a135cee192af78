"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
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
  const router = useRouter();

  async function run() {
    const result = await remove();
    if (!result.ok) return result;
    toast(`“${safeText(name)}” is deleted.`);
    router.push(`/${what}s`);
    return result;
  }

  return (
    <ConfirmButton
      label="Delete"
      ariaLabel={`Delete ${what}`}
      title={`Delete “${safeText(name)}”?`}
      keepLabel="Cancel"
      confirmLabel={`Delete ${what}`}
      run={run}
    >
      <p>This can't be undone. Actions that use it have to use another one first.</p>
    </ConfirmButton>
  );
}
