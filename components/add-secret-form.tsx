"use client";

import type { CommandResult } from "#lib/schema/command-result.ts";
import { Button } from "./ui/button.tsx";
import { TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";
import { useCommand } from "./use-command.ts";

export type AddSecret = (hookId: string, secret: string) => Promise<CommandResult<null>>;

/** For senders that show their signing secret only once they know the catch URL. */
export function AddSecretForm({ hookId, addSecret }: { hookId: string; addSecret: AddSecret }) {
  const { fields, message, isPending, onSubmit } = useCommand((form) =>
    addSecret(hookId, String(form.get("secret"))),
  );
  return (
    <form method="post" onSubmit={onSubmit} noValidate className="grid gap-3">
      <Notice tone="caution">
        Nothing proves yet who sends: every delivery is refused until you add the signing secret that the
        sender shows.
      </Notice>
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <TextField
            label="Signing secret"
            name="secret"
            type="password"
            autoComplete="off"
            spellCheck={false}
            error={fields.secret}
          />
        </div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Add secret
        </Button>
      </div>
    </form>
  );
}
