"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DraftActionsProps = {
  readonly action: { readonly id: string; readonly name: string };
  readonly hookPath: string;
  /** More buttons. */
  readonly children?: ReactNode;
  readonly deleteAction: (actionId: string) => Promise<CommandResult<null>>;
};

/** The menu of a saved action. */
export function DraftActions(props: DraftActionsProps) {
  const { action, hookPath, children, deleteAction } = props;
  const { id, name } = action;
  const router = useRouter();

  async function remove(): Promise<CommandResult<null>> {
    const result = await deleteAction(id);
    if (result.ok) {
      toast(`Deleted ${safeText(name)}.`);
      router.push(hookPath);
    }
    return result;
  }

  return (
    <div data-commands="action" className="flex flex-wrap gap-2">
      <Link href={`/runs?actionId=${id}`} className={buttonClasses("secondary")}>
        View runs
      </Link>
      <Link href={`/actions/${id}/versions`} className={buttonClasses("secondary")}>
        Versions
      </Link>
      {children}
      <a href={`/actions/${id}/export`} download className={buttonClasses("secondary")}>
        Export
      </a>
      <ConfirmButton
        label="Delete"
        title={`Delete ${safeText(name)}?`}
        keepLabel="Cancel"
        confirmLabel="Delete action"
        run={remove}
      >
        <p>Pending requests are cancelled and its credentials are permanently deleted.</p>
      </ConfirmButton>
    </div>
  );
}
