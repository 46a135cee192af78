"use client";

import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import { changeHookStatus, type SetHookStatus } from "./change-hook-status.ts";

type HookStatusButtonProps = {
  readonly hook: { readonly id: string; readonly name: string; readonly status: HookStatus };
  readonly setStatus: SetHookStatus;
};

/** Pauses or resumes a hook. */
export function HookStatusButton({ hook, setStatus }: HookStatusButtonProps) {
  const isTaking = hook.status === "active" || hook.status === "pending";
  return (
    <CommandButton
      look={isTaking ? "secondary" : "primary"}
      run={() => changeHookStatus(hook, isTaking ? "paused" : "active", setStatus)}
    >
      {isTaking ? "Pause" : hook.status === "paused" ? "Resume" : "Enable"}
    </CommandButton>
  );
}
