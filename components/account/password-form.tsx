"use client";

import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Form } from "#components/ui/form/form.tsx";
import { PasswordField } from "#components/ui/form/password-field.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type PasswordFormProps = {
  readonly email: string;
  readonly changePassword: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

export function PasswordForm({ email, changePassword }: PasswordFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form, element) => {
    const result = await changePassword({
      currentPassword: String(form.get("currentPassword")),
      newPassword: String(form.get("newPassword")),
    });
    if (!result.ok) return result;
    element.reset();
    toast("Password changed. Every other browser was signed out.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      {/* Tells the browser's password manager whose password it is. */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        error={fields.currentPassword}
      />
      <PasswordField
        label="New password"
        name="newPassword"
        autoComplete="new-password"
        hint="At least 10 characters. A few random words are easy to remember and hard to guess."
        error={fields.newPassword}
      />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Change password
        </Button>
      </div>
    </Form>
  );
}
