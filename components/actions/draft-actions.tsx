"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, Suspense, useState } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { lazyPart } from "#components/ui/lazy-part.ts";
import { Link } from "#components/ui/link.tsx";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { DuplicateFormProps } from "./transfer/duplicate-form.tsx";

// Loaded after the page: menus are an eighth of its scripts.
const ActionMenu = lazyPart("ActionMenu", () => import("./action-menu.tsx"));
const DuplicateForm = lazyPart("DuplicateForm", () => import("./transfer/duplicate-form.tsx"));

type DraftActionsProps = {
  readonly action: { readonly id: string; readonly name: string };
  readonly hookPath: string;
  readonly copies: Pick<DuplicateFormProps, "hookId" | "hooks" | "duplicate">;
  /** Another button. */
  readonly children?: ReactNode;
  readonly deleteAction: (actionId: string) => Promise<CommandResult<null>>;
};

/** The commands of a saved action: the usual places, and a menu with the rest. */
export function DraftActions({
  action,
  hookPath,
  copies,
  children,
  deleteAction,
}: DraftActionsProps) {
  const { id } = action;
  const isAllowed = useAllowed("hooks:write");
  const name = safeText(action.name);
  const router = useRouter();
  const [open, setOpen] = useState<"duplicate" | "delete" | null>(null);
  const close = () => setOpen(null);

  async function remove(): Promise<CommandResult<null>> {
    const result = await deleteAction(id);
    if (result.ok) {
      toast(`Deleted ${name}.`);
      router.push(hookPath);
    }
    return result;
  }

  return (
    <div data-commands="action" className="flex flex-wrap items-center gap-2">
      <Link href={`/runs?actionId=${id}`} className={buttonClasses("secondary")}>
        View runs
      </Link>
      <Link href={`/actions/${id}/versions`} className={buttonClasses("secondary")}>
        Versions
      </Link>
      {isAllowed && children}
      <Suspense fallback={<span className="size-9" />}>
        <ActionMenu
          id={id}
          name={name}
          duplicate={() => setOpen("duplicate")}
          remove={() => setOpen("delete")}
        />
      </Suspense>
      <Dialog isOpen={open === "duplicate"} onClose={close} title="Duplicate action">
        <Suspense>
          <DuplicateForm {...copies} name={action.name} onClose={close} />
        </Suspense>
      </Dialog>
      <ConfirmDialog
        isOpen={open === "delete"}
        onClose={close}
        title={`Delete “${name}”?`}
        keepLabel="Cancel"
        confirmLabel="Delete action"
        run={remove}
      >
        <p>Pending requests are canceled and its credentials are permanently deleted.</p>
      </ConfirmDialog>
    </div>
  );
}
