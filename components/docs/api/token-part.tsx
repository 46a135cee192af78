"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { TrialCommands } from "./trial-commands.ts";
import { keepTrialToken, useTrialToken } from "./trial-token.ts";

type TokenPartProps = {
  /** The scope that the call needs. */
  readonly scope: string;
  readonly canCreate: boolean;
  readonly createToken: TrialCommands["createToken"];
  readonly error: string | undefined;
};

/** A token to try calls with: pasted, or a new one that can do as much as the call needs, for a day. */
export function TokenPart({ scope, canCreate, createToken, error }: TokenPartProps) {
  const token = useTrialToken();
  const [isPending, setPending] = useState(false);
  const [message, setMessage] = useState<string>();
  const isFit = token.text !== "" && (token.scopes === null || token.scopes.includes(scope));

  async function create() {
    setPending(true);
    setMessage(undefined);
    const scopes = [...new Set([...(token.scopes ?? []), scope])];
    const name = `API reference: ${scopes.join(", ")}`.slice(0, 200);
    const result = await createToken({ name, scopes, expiresInDays: 1 }).catch(() => null);
    if (result?.ok === true) keepTrialToken({ text: result.value.token, scopes });
    else setMessage(result?.message ?? "The server can't be reached. Try again.");
    setPending(false);
  }

  return (
    <div className="grid gap-2">
      <TextField
        label="Token"
        name="token"
        // Not a password: browsers offer to store those.
        className="[-webkit-text-security:disc]"
        autoComplete="off"
        spellCheck={false}
        placeholder="cmt_…"
        value={token.text}
        onChange={({ target }) => keepTrialToken({ text: target.value, scopes: null })}
        hint="Kept in the memory of this tab, for all calls. A reload forgets it."
        error={error}
      />
      {!isFit && canCreate && (
        <div>
          <Button look="secondary" isBusy={isPending} onClick={create}>
            Create a token for {scope}
          </Button>
        </div>
      )}
      {!canCreate && (
        <p className="text-sm text-muted-foreground">
          Your role can't create tokens. Paste one, or ask an admin for it.
        </p>
      )}
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
    </div>
  );
}
