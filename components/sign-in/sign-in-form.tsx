"use client";

import { needsCode, signInWithPassword } from "#components/account/sign-in-with-password.ts";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PasswordField } from "#components/ui/form/password-field.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";

/** `next` is a path on this server. */
export function SignInForm({ next }: { next: string }) {
  const { rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await signInWithPassword(
      String(form.get("email")),
      String(form.get("password")),
    );
    if (!result.ok && result.message === needsCode) {
      window.location.assign(`/sign-in/code?${new URLSearchParams({ next })}`);
      return { ok: true, value: null };
    }
    // A full page load, so that nothing from before the sign-in stays in the router's cache.
    if (result.ok) window.location.assign(next);
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        autoFocus
      />
      <PasswordField label="Password" name="password" autoComplete="current-password" required />
      <Button type="submit" isBusy={isPending} className="mt-1 w-full">
        Sign in
      </Button>
    </Form>
  );
}
