"use client";

import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type AccountNameFormProps = {
  readonly name: string;
  readonly slug: string;
  readonly canRename: boolean;
  readonly renameAccount: (name: string) => Promise<CommandResult<null>>;
};

export function AccountNameForm({ name, slug, canRename, renameAccount }: AccountNameFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await renameAccount(String(form.get("name")));
    if (result.ok) toast("Account renamed.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Account name"
        name="name"
        autoComplete="organization"
        defaultValue={name}
        readOnly={!canRename}
        hint={
          <>
            Catch URLs don't change. They always contain{" "}
            <code className="font-mono text-xs">{slug}</code>.
          </>
        }
        error={fields.name}
      />
      {canRename && (
        <div>
          <Button type="submit" look="secondary" isBusy={isPending}>
            Rename account
          </Button>
        </div>
      )}
    </Form>
  );
}
