"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, FormButtons } from "#components/ui/overlay/dialog.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type RenamePasskeyProps = {
  readonly passkey: { readonly id: string; readonly name: string };
  readonly rename: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

export function RenamePasskey({ passkey, rename }: RenamePasskeyProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        look="secondary"
        aria-label={`Rename ${passkey.name}`}
        onClick={() => setIsOpen(true)}
      >
        Rename
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Rename passkey">
        <RenameForm passkey={passkey} rename={rename} onClose={close} />
      </Dialog>
    </>
  );
}

function RenameForm({
  passkey,
  rename,
  onClose,
}: RenamePasskeyProps & { readonly onClose: () => void }) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await rename({ id: passkey.id, name: String(form.get("name")) });
    if (result.ok) onClose();
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={passkey.name}
        error={fields.name}
        autoFocus
      />
      <FormButtons onCancel={onClose} isBusy={isPending}>
        Rename
      </FormButtons>
    </Form>
  );
}
