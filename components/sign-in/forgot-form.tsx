"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ForgotFormProps = {
  readonly requestReset: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

export function ForgotForm({ requestReset }: ForgotFormProps) {
  const [sentTo, setSentTo] = useState("");
  const { result, fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const email = String(form.get("email")).trim();
    const asked = await requestReset({ email });
    if (asked.ok) setSentTo(email);
    return asked;
  });
  if (result?.ok === true)
    return (
      <>
        <Notice>
          If {sentTo} signs in here, a message is on its way. Its link works for an hour. Look in
          the spam folder too.
        </Notice>
        <BackToSignIn />
      </>
    );
  return (
    <>
      <Form onSubmit={onSubmit} rejection={rejection}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          error={fields.email}
          autoFocus
        />
        <Button type="submit" isBusy={isPending} className="mt-1 w-full">
          Send the link
        </Button>
      </Form>
      <BackToSignIn />
    </>
  );
}

export function BackToSignIn() {
  return (
    <Link
      href="/sign-in"
      className="w-fit rounded-sm text-sm text-muted-foreground hover:text-foreground"
    >
      Back to sign-in
    </Link>
  );
}
