"use client";

import { useState, useTransition } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Link } from "#components/ui/link.tsx";
import { Menu, MenuItem, MenuSeparator } from "#components/ui/overlay/menu.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type ActionCommands = {
  readonly setEnabled: (actionId: string, enabled: boolean) => Promise<CommandResult<null>>;
  readonly deleteAction: (actionId: string) => Promise<CommandResult<null>>;
};

type ActionRowMenuProps = ActionCommands & {
  readonly action: { readonly id: string; readonly name: string; readonly enabled: boolean };
  /** Null: it is the first, or the last. */
  readonly moveUp: (() => void) | null;
  readonly moveDown: (() => void) | null;
};

/** The less frequent commands of an action in a hook's list. */
export function ActionRowMenu(props: ActionRowMenuProps) {
  const { action, moveUp, moveDown, setEnabled, deleteAction } = props;
  const { id, enabled } = action;
  const name = safeText(action.name);
  const isAllowed = useAllowed("hooks:write");
  const [isDeleting, setDeleting] = useState(false);
  const [, startTransition] = useTransition();

  const toggle = () =>
    startTransition(async () => {
      const result = await setEnabled(id, !enabled).catch(() => serverUnreachable);
      if (!result.ok) toast(result.message, { tone: "negative" });
      else {
        toast(`“${name}” is ${enabled ? "disabled. New deliveries don't run it." : "enabled."}`, {
          undo: () => setEnabled(id, enabled),
        });
      }
    });

  return (
    <>
      <Menu label={`More for ${name}`}>
        <MenuItem asChild>
          <Link href={`/runs?actionId=${id}`}>View runs</Link>
        </MenuItem>
        {isAllowed && moveUp !== null && <MenuItem onSelect={moveUp}>Move up</MenuItem>}
        {isAllowed && moveDown !== null && <MenuItem onSelect={moveDown}>Move down</MenuItem>}
        {isAllowed && (
          <>
            <MenuItem onSelect={toggle}>{enabled ? "Disable" : "Enable"}</MenuItem>
            <MenuSeparator />
            <MenuItem isDanger onSelect={() => setDeleting(true)}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete “${name}”?`}
        keepLabel="Cancel"
        confirmLabel="Delete action"
        run={() => deleteAction(id)}
      >
        <p>Pending requests are canceled and its credentials are permanently deleted.</p>
      </ConfirmDialog>
    </>
  );
}
