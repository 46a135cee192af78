"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { toSlug } from "#components/ui/text/to-slug.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type NewAccountFormProps = {
  /** The catch URL before the account slug. */
  readonly catchPrefix: string;
  readonly createAccount: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

/** Creates an account of the user and opens it. */
export function NewAccountForm({ catchPrefix, createAccount }: NewAccountFormProps) {
  const [name, setName] = useState("");
  /** Null until the user types a slug. The name suggests one. */
  const [typed, setTyped] = useState<string | null>(null);
  const slug = typed ?? toSlug(name).replace(/-+$/, "");
  const { fields, rejection, isPending, onSubmit } = useCommand(async () => {
    const result = await createAccount({ name, slug });
    // A full page load, so that nothing of another account stays in the router's cache.
    if (result.ok) window.location.assign("/");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name of the new account"
        name="name"
        autoComplete="off"
        placeholder="Acme Staging"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={fields.name}
      />
      <TextField
        label="Short name"
        name="slug"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="acme-staging"
        value={slug}
        onChange={(event) => setTyped(toSlug(event.target.value))}
        hint={
          <>
            Part of its catch URLs, and can't be changed later:{" "}
            <span className="font-mono text-xs wrap-anywhere">
              {catchPrefix}
              {slug === "" ? "acme-staging" : slug}/…
            </span>
          </>
        }
        error={fields.slug}
      />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Create account
        </Button>
      </div>
    </Form>
  );
}
