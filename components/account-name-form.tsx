"use client";

import type { CommandResult } from "#lib/schema/command-result.ts";
import { Button } from "./ui/button.tsx";
import { TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";
import { toast } from "./ui/toast.ts";
import { useCommand } from "./use-command.ts";

type AccountNameFormProps = {
  readonly name: string;
  readonly slug: string;
  readonly canRename: boolean;
  readonly renameAccount: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

export function AccountNameForm({ name, slug, canRename, renameAccount }: AccountNameFormProps) {
  const { fields, message, isPending, onSubmit } = useCommand(async (form) => {
    const result = await renameAccount({ name: String(form.get("name")) });
    if (result.ok) toast("Account renamed.");
    return result;
  });
  return (
    <form method="post" onSubmit={onSubmit} noValidate className="grid gap-4">
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
      <TextField
        label="Account name"
        name="name"
        autoComplete="organization"
        defaultValue={name}
        readOnly={!canRename}
        hint={
          <>
            In catch URLs the account is always <code className="font-mono text-xs">{slug}</code>: those that
            were handed out go on working.
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
    </form>
  );
}
