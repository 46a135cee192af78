"use client";

import { useRouter } from "next/navigation";
import { toast } from "#components/ui/feedback/toast.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { FormButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { DuplicateInput } from "#lib/schema/act/transfer.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type DuplicateFormProps = {
  readonly name: string;
  readonly hookId: string;
  readonly hooks: readonly { readonly id: string; readonly name: string }[];
  /** The id of the copy. */
  readonly duplicate: (input: DuplicateInput) => Promise<CommandResult<string>>;
  readonly onClose: () => void;
};

/** Copies an action to its own or another hook. */
export function DuplicateForm({ name, hookId, hooks, duplicate, onClose }: DuplicateFormProps) {
  const router = useRouter();
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const input = { name: String(form.get("name")).trim(), hookId: String(form.get("hookId")) };
    const result = await duplicate(input);
    if (!result.ok) return result;
    toast("Duplicated. The copy is disabled.");
    onClose();
    router.push(`/actions/${result.value}`);
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={`${name.slice(0, 193)} (copy)`}
        error={fields.name}
      />
      <SelectField label="Hook" name="hookId" defaultValue={hookId} error={fields.hookId}>
        {hooks.map((hook) => (
          <option key={hook.id} value={hook.id}>
            {safeText(hook.name)}
          </option>
        ))}
      </SelectField>
      <p className="text-sm text-muted-foreground">
        The copy has the same credentials. It is disabled until you enable it.
      </p>
      <FormButtons onCancel={onClose} isBusy={isPending}>
        Duplicate action
      </FormButtons>
    </Form>
  );
}
