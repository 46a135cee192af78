"use client";

import { Button } from "#components/ui/button/button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PasswordField } from "#components/ui/form/password-field.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ResetFormProps = {
  readonly resetPassword: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

/** Sets the password, then opens the sign-in page. */
export function ResetForm({ resetPassword }: ResetFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await resetPassword({ password: String(form.get("password")) });
    if (result.ok) window.location.assign("/sign-in?changed=password");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        hint="At least 10 characters. A few random words are easy to remember and hard to guess."
        error={fields.password}
        autoFocus
      />
      <Button type="submit" isBusy={isPending} className="mt-1 w-full">
        Change password
      </Button>
    </Form>
  );
}
