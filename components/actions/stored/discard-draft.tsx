"use client";

import type { ButtonLook } from "#components/ui/button/button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DiscardDraftProps = {
  readonly look: ButtonLook;
  readonly discard: () => Promise<CommandResult<null>>;
};

/** The way back to the saved action. */
export function DiscardDraft({ look, discard }: DiscardDraftProps) {
  return (
    <ConfirmButton
      label="Discard"
      ariaLabel="Discard draft"
      look={look}
      title="Discard this draft?"
      keepLabel="Cancel"
      confirmLabel="Discard draft"
      run={discard}
    >
      <p>Everything that you have typed here since the last save is lost.</p>
    </ConfirmButton>
  );
}
