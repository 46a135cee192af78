"use client";

import { Menu, MenuItem } from "#components/ui/overlay/menu.tsx";

type StepMenuProps = {
  readonly name: string;
  /** Null: there is no room for another step. */
  readonly duplicate: (() => void) | null;
  readonly remove: () => void;
};

/** The less frequent commands of a step. */
export function StepMenu({ name, duplicate, remove }: StepMenuProps) {
  return (
    <Menu label={`More for ${name}`}>
      {duplicate !== null && <MenuItem onSelect={duplicate}>Duplicate step</MenuItem>}
      <MenuItem isDanger onSelect={remove}>
        Remove step
      </MenuItem>
    </Menu>
  );
}
