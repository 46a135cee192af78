"use client";

import { Menu, MenuItem, MenuSeparator } from "#components/ui/overlay/menu.tsx";

type ActionMenuProps = {
  readonly id: string;
  readonly name: string;
  readonly duplicate: () => void;
  readonly remove: () => void;
};

/** The less frequent commands of a saved action. */
export function ActionMenu({ id, name, duplicate, remove }: ActionMenuProps) {
  return (
    <Menu label={`More for ${name}`}>
      <MenuItem onSelect={duplicate}>Duplicate…</MenuItem>
      <MenuItem asChild>
        <a href={`/actions/${id}/export`} download>
          Export
        </a>
      </MenuItem>
      <MenuSeparator />
      <MenuItem isDanger onSelect={remove}>
        Delete…
      </MenuItem>
    </Menu>
  );
}
