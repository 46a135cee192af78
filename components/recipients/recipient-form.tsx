"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { recipientPath } from "#components/subscriptions/recipient-link.tsx";
import { Button, type ButtonLook } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PairFields } from "#components/ui/form/pair-fields.tsx";
import { readPairs, toPairs } from "#components/ui/form/pairs.ts";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, FormButtons } from "#components/ui/overlay/dialog.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type SaveRecipient = (input: {
  readonly id: string;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}) => Promise<CommandResult<null>>;

type RecipientDialogProps = {
  /** The text of the button that opens the dialog. */
  readonly label: string;
  readonly look: ButtonLook;
  /** Null: a new recipient. */
  readonly recipient: {
    readonly id: string;
    readonly name: string | null;
    readonly metadata: Readonly<Record<string, string>>;
  } | null;
  readonly save: SaveRecipient;
};

/** Creates or edits a recipient. */
export function RecipientDialog({ label, look, recipient, save }: RecipientDialogProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={recipient === null ? "New recipient" : "Edit recipient"}
        isWide
      >
        <RecipientForm recipient={recipient} save={save} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

type RecipientFormProps = Pick<RecipientDialogProps, "recipient" | "save"> & {
  readonly onClose: () => void;
};

function RecipientForm({ recipient, save, onClose }: RecipientFormProps) {
  const router = useRouter();
  const [metadata, setMetadata] = useState(() => toPairs(recipient?.metadata ?? {}));
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const id = recipient?.id ?? String(form.get("id")).trim();
    const name = String(form.get("name")).trim();
    const result = await save({
      id,
      name: name === "" ? null : name,
      metadata: readPairs(metadata),
    });
    if (!result.ok) return result;
    if (recipient === null) router.push(recipientPath(id));
    else toast("Saved.");
    onClose();
    return result;
  });
  const problems = Object.entries(fields).flatMap(([path, text]) =>
    path.startsWith("metadata") ? [text] : [],
  );
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      {recipient === null && (
        <TextField
          label="Id"
          name="id"
          autoComplete="off"
          autoFocus
          spellCheck={false}
          placeholder="cust_42"
          hint="Your id for the customer. It can't be changed later."
          error={fields.id}
        />
      )}
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={recipient?.name ?? ""}
        hint="Optional. Shown in lists and in the portal."
        error={fields.name}
      />
      <fieldset className="grid min-w-0 gap-1">
        <legend className="mb-1.5 text-sm font-medium">Metadata</legend>
        <PairFields what="Entry" pairs={metadata} onChange={setMetadata} errors={problems} />
      </fieldset>
      <FormButtons onCancel={onClose} isBusy={isPending}>
        {recipient === null ? "Create recipient" : "Save recipient"}
      </FormButtons>
    </Form>
  );
}
