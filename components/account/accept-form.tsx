"use client";

import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PasswordField } from "#components/ui/form/password-field.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";

type AcceptFormProps = {
  /** The address that was invited. It can't be changed. */
  readonly email: string;
  readonly accept: (
    input: Record<string, string>,
  ) => Promise<CommandResult<{ readonly email: string }>>;
};

/** Creates the person who was invited, signs them in, and opens the dashboard. */
export function AcceptForm({ email, accept }: AcceptFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const password = String(form.get("password"));
    const result = await accept({ name: String(form.get("name")), password });
    if (!result.ok) return result;
    const signedIn = await signInWithPassword(result.value.email, password);
    window.location.assign(signedIn.ok ? "/" : "/sign-in");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        readOnly
      />
      <TextField label="Your name" name="name" autoComplete="name" error={fields.name} autoFocus />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        hint="At least 10 characters. A few random words are easy to remember and hard to guess."
        error={fields.password}
      />
      <Button type="submit" isBusy={isPending} className="mt-1 w-full">
        Accept invitation
      </Button>
    </Form>
  );
}
