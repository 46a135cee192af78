"use client";

import { useState, useTransition } from "react";
import { Allowed } from "#components/permissions/role.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ReadHandshakeSecret = (hookId: string) => Promise<CommandResult<string>>;

type HandshakeSecretProps = {
  readonly hookId: string;
  readonly providerName: string;
  readonly read: ReadHandshakeSecret;
};

/** Some providers first send their secret to the URL, then ask for it on their page. */
export function HandshakeSecret({ hookId, providerName, read }: HandshakeSecretProps) {
  const [shown, setShown] = useState<CommandResult<string>>();
  const [isPending, startTransition] = useTransition();
  return (
    <div className="grid gap-3 rounded-lg border bg-card p-5">
      <div className="grid gap-1">
        <h2 className="font-semibold">{providerName} has sent its secret</h2>
        <p className="text-sm text-muted-foreground">
          Deliveries are verified with it from now on. If {providerName} asks for it, copy it from
          here within a day.
        </p>
      </div>
      {shown?.ok === true ? (
        <CopyLine text={shown.value} what="secret" />
      ) : (
        <div>
          <Allowed to="hooks:write">
            <Button
              look="secondary"
              isBusy={isPending}
              onClick={() =>
                startTransition(async () => {
                  const result = await read(hookId).catch(() => serverUnreachable);
                  startTransition(() => setShown(result));
                })
              }
            >
              Show secret
            </Button>
          </Allowed>
        </div>
      )}
      {shown?.ok === false && <p className="text-sm text-negative">{shown.message}</p>}
    </div>
  );
}
