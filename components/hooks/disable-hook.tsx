"use client";

import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { HookStatus } from "#lib/schema/receive/hook.ts";
import { changeHookStatus, type SetHookStatus } from "./change-hook-status.ts";

type DisableHookProps = {
  readonly hook: { readonly id: string; readonly name: string; readonly status: HookStatus };
  readonly setStatus: SetHookStatus;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Explains what providers receive before it disables the hook. */
export function DisableHook({ hook, setStatus, isOpen, onClose }: DisableHookProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Disable “${safeText(hook.name)}”?`}
      keepLabel="Cancel"
      confirmLabel="Disable hook"
      run={() => changeHookStatus(hook, "disabled", setStatus)}
    >
      <p>
        Requests to its catch URL get 410 Gone, and their events are lost. Many providers then stop
        sending permanently. You can enable it again.
      </p>
      <p>To hold only its actions, pause it instead. Deliveries are stored and wait.</p>
    </ConfirmDialog>
  );
}
