"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PasswordField } from "#components/ui/form/password-field.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { toSlug } from "#components/ui/text/to-slug.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { suggestAccount } from "./account-slug.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";

type SetupFormProps = {
  /** The catch URL before the account slug. */
  readonly catchPrefix: string;
  readonly createOwner: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

/** Creates the first owner and account, then opens the dashboard. */
export function SetupForm({ catchPrefix, createOwner }: SetupFormProps) {
  const [email, setEmail] = useState("");
  /** Null until the user types a slug. The email's domain suggests one. */
  const [typed, setTyped] = useState<string | null>(null);
  const account = typed ?? suggestAccount(email);
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const input = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
    const result = await createOwner(input);
    if (!result.ok) return result;
    const signedIn = await signInWithPassword(input.email ?? "", input.password ?? "");
    window.location.assign(signedIn.ok ? "/" : "/sign-in");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField label="Your name" name="name" autoComplete="name" error={fields.name} autoFocus />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={fields.email}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        hint="At least 10 characters. A few random words are easy to remember and hard to guess."
        error={fields.password}
      />
      <TextField
        label="Account name"
        name="account"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="acme"
        value={account}
        onChange={(event) => setTyped(toSlug(event.target.value))}
        onBlur={() => setTyped(typed === null ? null : typed.replace(/-+$/, ""))}
        hint={
          <>
            A short name for your company or team. It is part of every catch URL and can't be
            changed later:
            <span className="mt-1 block font-mono text-xs wrap-anywhere">
              {catchPrefix}
              <span className="font-medium text-foreground">
                {account === "" ? "acme" : account}
              </span>
              /…
            </span>
          </>
        }
        error={fields.account}
      />
      <Button type="submit" isBusy={isPending} className="mt-1 w-full">
        Create owner
      </Button>
    </Form>
  );
}
