"use client";

import type { HookStatus } from "#lib/schema/hook.ts";
import { changeHookStatus, type SetHookStatus } from "./change-hook-status.ts";
import { ConfirmDialog } from "./ui/confirm-dialog.tsx";
import { safeText } from "./ui/safe-text.ts";

type DisableHookProps = {
  readonly hook: { readonly id: string; readonly name: string; readonly status: HookStatus };
  readonly setStatus: SetHookStatus;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Says what senders are told before it turns them away. */
export function DisableHook({ hook, setStatus, isOpen, onClose }: DisableHookProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Disable “${safeText(hook.name)}”?`}
      keepLabel="Keep it as it is"
      confirmLabel="Disable hook"
      run={() => changeHookStatus(hook, "disabled", setStatus)}
    >
      <p>
        Whoever sends to its catch URL is refused with 410 Gone, and what they send is lost. Many senders then
        stop for good. You can enable it again.
      </p>
      <p>To hold only its actions back, pause it: deliveries are stored and wait.</p>
    </ConfirmDialog>
  );
}
