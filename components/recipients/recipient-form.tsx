"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { recipientPath } from "#components/subscriptions/recipient-link.tsx";
import { Button, type ButtonLook } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { optionalText, plainText, toDraft, type Values } from "#components/ui/form/codec.ts";
import { Field } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PairFields } from "#components/ui/form/pair-fields.tsx";
import { pairs } from "#components/ui/form/pairs.ts";
import { useForm } from "#components/ui/form/use-form.ts";
import { Dialog, FormButtons } from "#components/ui/overlay/dialog.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { QuotaFields, quotaCodec } from "./quota-fields.tsx";

const recipientFields = {
  id: plainText,
  name: optionalText,
  metadata: pairs,
  quota: quotaCodec,
};
const newRecipient = { id: "", name: null, metadata: {}, quota: null };

type RecipientDialogProps = {
  /** The text of the button that opens the dialog. */
  readonly label: string;
  readonly look: ButtonLook;
  /** Null: a new recipient. */
  readonly recipient: Values<typeof recipientFields> | null;
  readonly save: (input: object) => Promise<CommandResult<null>>;
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
  const draft = toDraft(recipientFields, recipient ?? newRecipient);
  const form = useForm(recipientFields, draft, async (input) => {
    const result = await save(input);
    if (!result.ok) return result;
    if (recipient === null) router.push(recipientPath(String(input.id)));
    else toast("Saved.");
    onClose();
    return result;
  });
  const metadata = form.of("metadata");
  const problems = Object.entries(form.fields).flatMap(([path, text]) =>
    path.startsWith("metadata") ? [text] : [],
  );
  return (
    <Form onSubmit={form.onSubmit} rejection={form.rejection}>
      {recipient === null && (
        <Field
          of={form.of("id")}
          label="Id"
          autoFocus
          spellCheck={false}
          placeholder="cust_42"
          hint="Your id for the customer. It can't be changed later."
        />
      )}
      <Field of={form.of("name")} label="Name" hint="Optional. Shown in lists and in the portal." />
      <fieldset className="grid min-w-0 gap-1">
        <legend className="mb-1.5 text-sm font-medium">Metadata</legend>
        <PairFields
          what="Entry"
          pairs={metadata.value}
          onChange={metadata.onChange}
          errors={problems}
        />
      </fieldset>
      <QuotaFields
        draft={form.of("quota").value}
        onChange={form.of("quota").onChange}
        error={Object.entries(form.fields).find(([path]) => path.startsWith("quota"))?.[1]}
      />
      <FormButtons onCancel={onClose} isBusy={form.isPending}>
        {recipient === null ? "Create recipient" : "Save recipient"}
      </FormButtons>
    </Form>
  );
}
