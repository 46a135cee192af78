"use client";

import type { ComponentProps } from "react";
import type { SetHookStatus } from "./change-hook-status.ts";
import { DeleteHook, type DeleteHookCommands } from "./delete-hook.tsx";
import { DisableHook } from "./disable-hook.tsx";

/** The dialogs that disable or delete a hook. Each asks for confirmation. */
export type Ending = "disable" | "delete";

type HookDialogsProps = DeleteHookCommands & {
  readonly hook: ComponentProps<typeof DisableHook>["hook"] &
    ComponentProps<typeof DeleteHook>["hook"];
  readonly setStatus: SetHookStatus;
  /** Undefined: no dialog is open. */
  readonly asked: Ending | undefined;
  readonly onClose: () => void;
};

export function HookDialogs({
  hook,
  setStatus,
  deleteHook,
  readContents,
  asked,
  onClose,
}: HookDialogsProps) {
  return (
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
  );
}
