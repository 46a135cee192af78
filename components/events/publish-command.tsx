"use client";

import { useState } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type EventDraft, toPublishCommand } from "./event-draft.ts";

export type CreateToken = () => Promise<CommandResult<{ readonly token: string }>>;

type PublishCommandProps = {
  readonly publishUrl: string;
  readonly draft: EventDraft;
  readonly createToken: CreateToken;
};

/** The API call that publishes the same event, as a command for a terminal. */
export function PublishCommand({ publishUrl, draft, createToken }: PublishCommandProps) {
  const [token, setToken] = useState<string>();
  const command = toPublishCommand(publishUrl, draft, token);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Allowed to="tokens:write">
        <TokenForm isDone={token !== undefined} create={createToken} onToken={setToken} />
      </Allowed>
      {command === null ? (
        <p className="text-sm text-muted-foreground">
          The data isn't valid JSON, or it is too long for a command.
        </p>
      ) : (
        <div className="grid grid-cols-1 gap-2" data-testid="publish-command">
          <TextBlock label="Command" text={command} />
          <div>
            <CopyButton
              text={command}
              what="command"
              label="Copy command"
              look={token === undefined ? "secondary" : "primary"}
            />
          </div>
        </div>
      )}
    </div>
  );
}

type TokenFormProps = {
  readonly isDone: boolean;
  readonly create: CreateToken;
  readonly onToken: (token: string) => void;
};

function TokenForm({ isDone, create, onToken }: TokenFormProps) {
  const { rejection, isPending, onSubmit } = useCommand(async () => {
    const result = await create();
    if (result.ok) onToken(result.value.token);
    return result;
  });
  if (isDone)
    return (
      <Notice tone="positive">
        The command below contains the token. Copy it now. You won't see it again.
      </Notice>
    );
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <p className="text-sm text-muted-foreground">
        Create a token that may only publish events and expires in 90 days, or{" "}
        <Link href="/account/tokens" className="underline underline-offset-4">
          use another token
        </Link>
        .
      </p>
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Create token
        </Button>
      </div>
    </Form>
  );
}
