"use client";

import { useState } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Menu, MenuItem } from "#components/ui/overlay/menu.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ListenerRow } from "./listener-row.ts";

export type ListenerCommands = {
  readonly disconnect: (id: string, connectionId: string) => Promise<CommandResult<null>>;
  readonly deleteListener: (id: string) => Promise<CommandResult<null>>;
};

type ListenerMenuProps = ListenerCommands & { readonly row: ListenerRow };

/** The menu of a listener, for those who may end it. Both items ask for confirmation. */
export function ListenerMenu({ row, disconnect, deleteListener }: ListenerMenuProps) {
  const isAllowed = useAllowed("listeners:write");
  const [asked, setAsked] = useState<"disconnect" | "delete">();
  const onClose = () => setAsked(undefined);
  const { listener, connection } = row;
  if (!isAllowed || !listener.canEnd) return null;
  const title = safeText(row.title);
  const host = safeText(connection?.host ?? "");
  // Without a name, it is deleted with its last connection.
  const isEnding = listener.name === null && listener.connections.length === 1;

  async function runThenSay(command: Promise<CommandResult<null>>, done: string) {
    const result = await command;
    if (result.ok) toast(done);
    return result;
  }

  return (
    <>
      <Menu
        label={`More for ${title}${connection === null || host === title ? "" : ` on ${host}`}`}
      >
        {connection !== null && (
          <MenuItem isDanger onSelect={() => setAsked("disconnect")}>
            Disconnect…
          </MenuItem>
        )}
        <MenuItem isDanger onSelect={() => setAsked("delete")}>
          Delete…
        </MenuItem>
      </Menu>
      {connection !== null && (
        <ConfirmDialog
          isOpen={asked === "disconnect"}
          onClose={onClose}
          title={`Disconnect ${host}?`}
          keepLabel="Cancel"
          confirmLabel="Disconnect"
          run={() => runThenSay(disconnect(listener.id, connection.id), `${host} is disconnected.`)}
        >
          <p>
            {isEnding
              ? "This also deletes the listener, because it has no name. No program gets what waits for it."
              : "Another program can connect at once, and gets what this one hasn't acknowledged."}
          </p>
        </ConfirmDialog>
      )}
      <ConfirmDialog
        isOpen={asked === "delete"}
        onClose={onClose}
        title={`Delete “${title}”?`}
        keepLabel="Cancel"
        confirmLabel="Delete listener"
        run={() => runThenSay(deleteListener(listener.id), `“${title}” is deleted.`)}
      >
        <p>
          This disconnects its programs, which don't get what waits for it. The deliveries stay.
        </p>
        <p>You can't undo this.</p>
      </ConfirmDialog>
    </>
  );
}
