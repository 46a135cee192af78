"use client";

import type { CommandResult } from "#lib/schema/command-result.ts";
import { SecretField } from "./secret-field.tsx";
import type { SecretShape } from "./secret-hints.ts";
import { Button } from "./ui/button.tsx";
import { Form } from "./ui/form.tsx";
import { useCommand } from "./use-command.ts";

export type AddSecret = (hookId: string, secret: string) => Promise<CommandResult<null>>;

type AddSecretFormProps = {
  readonly hookId: string;
  readonly help: string | null;
  readonly shape: SecretShape | null;
  readonly addSecret: AddSecret;
};

/** For senders that show their signing secret only once they know the catch URL. */
export function AddSecretForm({ hookId, help, shape, addSecret }: AddSecretFormProps) {
  const { fields, message, isPending, onSubmit } = useCommand((form) =>
    addSecret(hookId, String(form.get("secret"))),
  );
  return (
    <Form onSubmit={onSubmit} message={message} className="gap-3">
      <SecretField name="secret" help={help} shape={shape} error={fields.secret} />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Add secret
        </Button>
      </div>
    </Form>
  );
}
