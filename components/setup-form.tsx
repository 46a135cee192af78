"use client";

import { useState } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { suggestAccount, toAccountSlug } from "./account-slug.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";
import { Button } from "./ui/button.tsx";
import { TextField } from "./ui/field.tsx";
import { Form } from "./ui/form.tsx";
import { useCommand } from "./use-command.ts";

type SetupFormProps = {
  /** The part of every catch URL before the account. */
  readonly catchPrefix: string;
  readonly createOwner: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

/** The first owner and their account; leads straight into the dashboard. */
export function SetupForm({ catchPrefix, createOwner }: SetupFormProps) {
  const [email, setEmail] = useState("");
  /** Null: nobody has typed one yet, so the e-mail's domain suggests it. */
  const [typed, setTyped] = useState<string | null>(null);
  const account = typed ?? suggestAccount(email);
  const { fields, message, isPending, onSubmit } = useCommand(async (form) => {
    const input = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
    const result = await createOwner(input);
    if (!result.ok) return result;
    const signedIn = await signInWithPassword(input.email ?? "", input.password ?? "");
    window.location.assign(signedIn.ok ? "/" : "/sign-in");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} message={message}>
      <TextField label="Your name" name="name" autoComplete="name" error={fields.name} autoFocus />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={fields.email}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters. A few words in a row are easy to keep in mind and hard to guess."
        error={fields.password}
      />
      <TextField
        label="Account"
        name="account"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="acme"
        value={account}
        onChange={(event) => setTyped(toAccountSlug(event.target.value))}
        onBlur={() => setTyped(typed === null ? null : typed.replace(/-+$/, ""))}
        hint={
          <>
            A short name of your company or team. It is part of every catch URL and can’t be changed later:
            <span className="mt-1 block font-mono text-xs break-all">
              {catchPrefix}
              <span className="font-medium text-foreground">{account === "" ? "acme" : account}</span>/…
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
