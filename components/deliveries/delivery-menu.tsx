"use client";

import { useAllowed } from "#components/permissions/role.tsx";
import { Menu, MenuItem, MenuSeparator } from "#components/ui/overlay/menu.tsx";

type DeliveryMenuProps = {
  /** Null: the delivery has no body. */
  readonly rawHref: string | null;
  readonly remove: () => void;
};

/** The less frequent commands of a delivery. */
export function DeliveryMenu({ rawHref, remove }: DeliveryMenuProps) {
  const isAllowed = useAllowed("deliveries:write");
  return (
    <Menu label="More for this delivery">
      {rawHref !== null && (
        <MenuItem asChild>
          <a href={rawHref} download>
            Download raw
          </a>
        </MenuItem>
      )}
      {isAllowed && rawHref !== null && <MenuSeparator />}
      {isAllowed && (
        <MenuItem isDanger onSelect={remove}>
          Delete…
        </MenuItem>
      )}
    </Menu>
  );
}
