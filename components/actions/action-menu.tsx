"use client";

import { useAllowed } from "#components/permissions/role.tsx";
import { Menu, MenuItem, MenuSeparator } from "#components/ui/overlay/menu.tsx";

type ActionMenuProps = {
  readonly id: string;
  readonly name: string;
  readonly duplicate: () => void;
  readonly remove: () => void;
};

/** The less frequent commands of a saved action. */
export function ActionMenu({ id, name, duplicate, remove }: ActionMenuProps) {
  const isAllowed = useAllowed("hooks:write");
  return (
    <Menu label={`More for ${name}`}>
      {isAllowed && <MenuItem onSelect={duplicate}>Duplicate…</MenuItem>}
      <MenuItem asChild>
        <a href={`/actions/${id}/export`} download>
          Export
        </a>
      </MenuItem>
      {isAllowed && (
        <>
          <MenuSeparator />
          <MenuItem isDanger onSelect={remove}>
            Delete…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
