"use client";

import { signInWithPassword } from "./sign-in-with-password.ts";
import { Button } from "./ui/button.tsx";
import { TextField } from "./ui/field.tsx";
import { Form } from "./ui/form.tsx";
import { useCommand } from "./use-command.ts";

/** `next` is a path of our own. */
export function SignInForm({ next }: { next: string }) {
  const { message, isPending, onSubmit } = useCommand(async (form) => {
    const result = await signInWithPassword(String(form.get("email")), String(form.get("password")));
    // A full load: nothing that was made for nobody stays in the router's memory.
    if (result.ok) window.location.assign(next);
    return result;
  });
  return (
    <Form onSubmit={onSubmit} message={message}>
      <TextField label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      <Button type="submit" isBusy={isPending} className="mt-1 w-full">
        Sign in
      </Button>
    </Form>
  );
}
