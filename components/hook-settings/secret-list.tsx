"use client";

import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type HookSecretView = {
  readonly id: string;
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

export type ExpireSecret = (hookId: string, secretId: string) => Promise<CommandResult<null>>;

type SecretListProps = {
  readonly hookId: string;
  /** Active secrets, newest first. */
  readonly secrets: readonly HookSecretView[];
  readonly nowMs: number;
  readonly expire: ExpireSecret;
};

export function SecretList({ hookId, secrets, nowMs, expire }: SecretListProps) {
  return (
    <ul className="grid divide-y rounded-md border">
      {secrets.map(({ id, hint, createdAt, expiresAt }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3.5 py-2.5 text-sm"
        >
          <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
            <span>
              <code className="font-mono text-xs">…{hint}</code>{" "}
              {expiresAt === null ? (
                "Active"
              ) : (
                <>
                  active until <UntilTime untilMs={expiresAt.getTime()} nowMs={nowMs} />
                </>
              )}
            </span>
            <span className="text-muted-foreground">
              Added <RelativeTime at={createdAt} nowMs={nowMs} />
            </span>
          </div>
          <ConfirmButton
            label="Expire now"
            ariaLabel={`Expire now: …${hint}`}
            title={`Expire the secret …${hint} now?`}
            keepLabel="Cancel"
            confirmLabel="Expire secret"
            run={() => expire(hookId, id)}
          >
            <p>
              {secrets.length > 1
                ? "Deliveries signed with it are rejected immediately. You can't undo this."
                : "This is the only secret. Every delivery is rejected until you add another. You can't undo this."}
            </p>
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}
