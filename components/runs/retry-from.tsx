"use client";

import { useState } from "react";
import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { Menu, MenuItem } from "#components/ui/overlay/menu.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type RetryFromCommand = (runId: string, fromStep: string) => Promise<CommandResult<null>>;

type RetryFromProps = {
  readonly name: string;
  /** The keys of the steps that the run reached, in order. */
  readonly keys: readonly string[];
  readonly retryFrom: (fromStep: string) => Promise<CommandResult<null>>;
};

/** Repeats a step and all steps after it, which the run itself never does. */
export function RetryFrom({ name, keys, retryFrom }: RetryFromProps) {
  const [from, setFrom] = useState<string | null>(null);
  const [first = ""] = keys;
  return (
    <>
      <Menu label={`Retry ${name} from a step`}>
        {keys.map((key) => (
          <MenuItem key={key} onSelect={() => setFrom(key)}>
            {key === first ? "Retry from the beginning" : `Retry from ${key}`}
          </MenuItem>
        ))}
      </Menu>
      <ConfirmDialog
        isOpen={from !== null}
        onClose={() => setFrom(null)}
        title={from === first ? "Retry from the beginning?" : `Retry from ${from ?? ""}?`}
        confirmLook="primary"
        keepLabel="Cancel"
        confirmLabel="Retry run"
        run={() => retryFrom(from ?? first)}
      >
        <p>
          Every step from {from ?? first} on is done again, even if it succeeded. Calls have the
          same Idempotency-Key as before. A receiver that ignores the key processes them twice. An
          event isn't published twice: its step succeeds if the data is the same, and fails if it
          has changed.
        </p>
      </ConfirmDialog>
    </>
  );
}
