"use client";

import { type ComponentProps, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ApiExample } from "./api-example.tsx";
import { ScopeChoice } from "./scope-choice.tsx";

type TokenInput = {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresInDays: number | null;
};

type TokenFormProps = {
  /** The origin of the API, for the example. */
  readonly origin: string;
  readonly createToken: (input: TokenInput) => Promise<CommandResult<{ readonly token: string }>>;
};

export function TokenForm({ origin, createToken }: TokenFormProps) {
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const { result, fields, rejection, isPending, onSubmit, reset } = useCommand(async (form) => {
    const days = String(form.get("expiresInDays"));
    const chosen = form.getAll("scopes").map(String);
    setScopes(chosen);
    return await createToken({
      name: String(form.get("name")),
      scopes: chosen,
      expiresInDays: days === "never" ? null : Number(days),
    });
  });
  if (result?.ok === true)
    return <NewToken onDone={reset} example={{ origin, scopes, token: result.value.token }} />;
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          placeholder="Deploy script"
          error={fields.name}
        />
        <SelectField
          label="Expires"
          name="expiresInDays"
          defaultValue="90"
          error={fields.expiresInDays}
        >
          <option value="7">in 7 days</option>
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
          <option value="never">never</option>
        </SelectField>
      </div>
      <ScopeChoice error={fields.scopes} />
      <div>
        <Button type="submit" isBusy={isPending}>
          Create token
        </Button>
      </div>
    </Form>
  );
}

type NewTokenProps = {
  readonly example: ComponentProps<typeof ApiExample>;
  readonly onDone: () => void;
};

function NewToken({ example, onDone }: NewTokenProps) {
  const { token } = example;
  return (
    <div className="grid gap-4">
      <Notice tone="positive">Copy the token now. You won't see it again.</Notice>
      <CopyLine text={token} what="token" look="primary" testId="new-token" />
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Try it</p>
        <ApiExample {...example} />
      </div>
      <div>
        <Button look="secondary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
