"use client";

import { useState } from "react";
import { Menu, MenuItem } from "#components/ui/overlay/menu.tsx";
import { type Confirmation, ConfirmDialog } from "./confirm-dialog.tsx";

type DeleteMenuProps = Pick<Confirmation, "title" | "confirmLabel" | "run" | "children"> & {
  readonly label: string;
};

/** A menu that deletes one thing of a list, after a confirmation. */
export function DeleteMenu({ label, ...confirmation }: DeleteMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Menu label={label}>
        <MenuItem isDanger onSelect={() => setIsOpen(true)}>
          Delete…
        </MenuItem>
      </Menu>
      <ConfirmDialog
        {...confirmation}
        keepLabel="Cancel"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}
