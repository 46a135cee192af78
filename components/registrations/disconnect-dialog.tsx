"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type RemoveRegistration = (hookId: string, keep: boolean) => Promise<CommandResult<null>>;

type DisconnectDialogProps = {
  readonly hookId: string;
  readonly name: string;
  readonly remove: RemoveRegistration;
};

/** Ends the keeping of a webhook, after asking whether the provider keeps it. */
export function DisconnectDialog({ hookId, name, remove }: DisconnectDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState<"remove" | "keep">("remove");
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        Disconnect…
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Disconnect from ${name}?`}
        keepLabel="Cancel"
        confirmLabel="Disconnect"
        run={() => remove(hookId, choice === "keep")}
      >
        <ChoiceGroup
          label={`The webhook at ${name}`}
          name="registration"
          value={choice}
          onChange={setChoice}
          choices={[
            {
              value: "remove",
              title: "Remove it there",
              text: "No more events are sent to this hook.",
            },
            {
              value: "keep",
              title: "Leave it there",
              text: "Events still arrive. Catchment stops checking it.",
            },
          ]}
        />
      </ConfirmDialog>
    </>
  );
}
