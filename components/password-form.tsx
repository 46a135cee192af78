"use client";

import { useRef } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { Button } from "./ui/button.tsx";
import { TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";
import { toast } from "./ui/toast.ts";
import { useCommand } from "./use-command.ts";

type PasswordFormProps = {
  readonly email: string;
  readonly changePassword: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

export function PasswordForm({ email, changePassword }: PasswordFormProps) {
  const formElement = useRef<HTMLFormElement>(null);
  const { fields, message, isPending, onSubmit } = useCommand(async (form) => {
    const result = await changePassword({
      currentPassword: String(form.get("currentPassword")),
      newPassword: String(form.get("newPassword")),
    });
    if (!result.ok) return result;
    formElement.current?.reset();
    toast("Password changed. Every other browser was signed out.");
    return result;
  });
  return (
    <form ref={formElement} method="post" onSubmit={onSubmit} noValidate className="grid gap-4">
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
      {/* For the browser's password store, which wants to know whose it is. */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <TextField
        label="Current password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        error={fields.currentPassword}
      />
      <TextField
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters. A few words in a row are easy to keep in mind and hard to guess."
        error={fields.newPassword}
      />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
