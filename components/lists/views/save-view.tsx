"use client";

import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { FormButtons } from "#components/ui/overlay/dialog.tsx";
import type { ViewCommands, ViewParams } from "./saved-view.ts";

type SaveViewProps = {
  readonly params: ViewParams;
  readonly save: ViewCommands["save"];
  readonly close: () => void;
};

/** Saves the filters and columns of a list under a name. */
export function SaveView({ params, save, close }: SaveViewProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await save(String(form.get("name")), params);
    if (result.ok) {
      toast("The view is saved.");
      close();
    }
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField label="Name" name="name" error={fields.name} autoComplete="off" autoFocus />
      <p className="text-sm text-muted-foreground">
        Keeps the filters and columns. Everyone in the account can open and change it.
      </p>
      <FormButtons onCancel={close} isBusy={isPending}>
        Save view
      </FormButtons>
    </Form>
  );
}
