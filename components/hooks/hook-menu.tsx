"use client";

import { type ReactNode, useState } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { Menu, MenuItem, MenuSeparator } from "#components/ui/overlay/menu.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import type { SetHookStatus } from "./change-hook-status.ts";
import { DeleteHook, type DeleteHookCommands } from "./delete-hook.tsx";
import { DisableHook } from "./disable-hook.tsx";

export type HookCommands = DeleteHookCommands & { readonly setStatus: SetHookStatus };

type HookMenuProps = HookCommands & {
  readonly hook: { readonly id: string; readonly name: string; readonly status: HookStatus };
  /** Items before those that disable and delete the hook. */
  readonly children?: ReactNode;
};

/** The menu of a hook. Disabling and deleting ask for confirmation. */
export function HookMenu({ hook, setStatus, deleteHook, readContents, children }: HookMenuProps) {
  const isAllowed = useAllowed("hooks:write");
  const [asked, setAsked] = useState<"disable" | "delete">();
  // Each row of a list has its own dialogs, which are rarely opened, so they are rendered on first use.
  const [wasAsked, setWasAsked] = useState(false);
  const onClose = () => setAsked(undefined);

  function ask(ending: "disable" | "delete") {
    setWasAsked(true);
    setAsked(ending);
  }

  return (
    <>
      <Menu label={`More for ${safeText(hook.name)}`}>
        {children}
        {isAllowed && children !== undefined && <MenuSeparator />}
        {isAllowed && hook.status !== "disabled" && (
          <MenuItem isDanger onSelect={() => ask("disable")}>
            Disable…
          </MenuItem>
        )}
        {isAllowed && (
          <MenuItem isDanger onSelect={() => ask("delete")}>
            Delete…
          </MenuItem>
        )}
      </Menu>
      {wasAsked && (
        <>
          <DisableHook
            hook={hook}
            setStatus={setStatus}
            isOpen={asked === "disable"}
            onClose={onClose}
          />
          <DeleteHook
            hook={hook}
            isOpen={asked === "delete"}
            onClose={onClose}
            deleteHook={deleteHook}
            readContents={readContents}
          />
        </>
      )}
    </>
  );
}
