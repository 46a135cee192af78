"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ConfirmButton } from "./confirm-button.tsx";
import { toast } from "./toast.ts";

type DeleteButtonProps = {
  /** The kind of thing, such as "credential". */
  readonly what: string;
  readonly name: string;
  readonly remove: () => Promise<CommandResult<null>>;
  /** The page to open afterwards. */
  readonly listPath: string;
  /** The consequences of deleting it. */
  readonly children: ReactNode;
};

/** Deletes what a page shows, after a confirmation. */
export function DeleteButton({ what, name, remove, listPath, children }: DeleteButtonProps) {
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
      ariaLabel={`Delete ${what}`}
      title={`Delete “${safeText(name)}”?`}
      keepLabel="Cancel"
      confirmLabel={`Delete ${what}`}
      run={run}
    >
      <p>{children}</p>
    </ConfirmButton>
  );
}
