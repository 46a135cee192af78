"use client";

import { useState } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { Button } from "./ui/button.tsx";
import { TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";
import { toast } from "./ui/toast.ts";
import { useCommand } from "./use-command.ts";

type ProfileFormProps = {
  readonly name: string;
  readonly email: string;
  readonly saveProfile: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

/** Another e-mail is another way in: it asks for the password. */
export function ProfileForm({ name, email, saveProfile }: ProfileFormProps) {
  const [entered, setEntered] = useState(email);
  const { fields, message, isPending, onSubmit } = useCommand(async (form) => {
    const input = Object.fromEntries([...form].map(([key, value]) => [key, String(value)]));
    const result = await saveProfile(input);
    if (result.ok) toast("Profile saved.");
    return result;
  });
  const isOther = entered.trim().toLowerCase() !== email;
  return (
    <form method="post" onSubmit={onSubmit} noValidate className="grid gap-4">
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
      <TextField label="Your name" name="name" autoComplete="name" defaultValue={name} error={fields.name} />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        value={entered}
        onChange={(event) => setEntered(event.target.value)}
        error={fields.email}
      />
      {isOther && (
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          hint="Needed to sign in with another e-mail from now on."
          error={fields.password}
        />
      )}
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save profile
        </Button>
      </div>
    </form>
  );
}
