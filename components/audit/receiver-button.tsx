"use client";

import { useState } from "react";
import { SecretOnce } from "#components/subscriptions/secret-once.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, DialogButtons, FormButtons } from "#components/ui/overlay/dialog.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type SaveReceiver = (input: object) => Promise<CommandResult<{ readonly secret: string | null }>>;

type ReceiverButtonProps = {
  /** Null: there is none yet. */
  readonly receiverUrl: string | null;
  readonly save: SaveReceiver;
};

/**
 * The button that opens the form of the URL that gets the audit log. It stays when the URL is saved,
 * because it shows the secret.
 */
export function ReceiverButton(props: ReceiverButtonProps) {
  const [isOpen, setOpen] = useState(false);
  // Kept while the form is open: saving gives the page a receiver while the secret is still shown.
  const [isNew, setNew] = useState(props.receiverUrl === null);
  const open = () => {
    setNew(props.receiverUrl === null);
    setOpen(true);
  };
  const close = () => setOpen(false);
  return (
    <>
      <Button look="secondary" onClick={open}>
        {props.receiverUrl === null ? "Send to a URL" : "Edit receiver"}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={isNew ? "Send the audit log to a URL" : "Edit receiver"}
        isWide
      >
        <ReceiverForm {...props} isNew={isNew} onClose={close} />
      </Dialog>
    </>
  );
}

type ReceiverFormProps = ReceiverButtonProps & {
  readonly isNew: boolean;
  readonly onClose: () => void;
};

function ReceiverForm({ receiverUrl, save, isNew, onClose }: ReceiverFormProps) {
  const [isFromStart, setFromStart] = useState(false);
  const { result, fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const afterSeq = isFromStart ? { afterSeq: 0 } : {};
    const saved = await save({ receiverUrl: form.get("receiverUrl"), ...afterSeq });
    if (saved.ok && saved.value.secret === null) {
      toast("Saved.");
      onClose();
    }
    return saved;
  });
  if (result?.ok === true && result.value.secret !== null)
    return <SecretShown secret={result.value.secret} onClose={onClose} />;
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <p className="text-sm text-muted-foreground">
        Each entry is a signed request, in the order of the numbers. One that fails is sent again
        until it is accepted.
      </p>
      <TextField
        label="Receiver URL"
        name="receiverUrl"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://siem.example.com/catchment"
        defaultValue={receiverUrl ?? ""}
        autoFocus
        error={fields.receiverUrl}
      />
      <CheckField
        label={isNew ? "Start with the oldest entry" : "Start again with the oldest entry"}
        text={
          isNew
            ? "Otherwise it gets the entries from now on."
            : "Repeats have the same id, so a receiver can tell them."
        }
        checked={isFromStart}
        onChange={setFromStart}
      />
      <FormButtons onCancel={onClose} isBusy={isPending}>
        {isNew ? "Start sending" : "Save receiver"}
      </FormButtons>
    </Form>
  );
}

/** The secret of a receiver, shown only now. */
export function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <>
      <SecretOnce secret={secret} />
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </>
  );
}
