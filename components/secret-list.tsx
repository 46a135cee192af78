"use client";

import type { CommandResult } from "#lib/schema/command-result.ts";
import { ConfirmButton } from "./ui/confirm-button.tsx";
import { RelativeTime } from "./ui/relative-time.tsx";
import { UntilTime } from "./ui/until-time.tsx";

export type HookSecretView = {
  readonly id: string;
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

export type ExpireSecret = (hookId: string, secretId: string) => Promise<CommandResult<null>>;

type SecretListProps = {
  readonly hookId: string;
  /** Those that pass now, newest first. */
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
                "passes until it is replaced"
              ) : (
                <>
                  passes until <UntilTime untilMs={expiresAt.getTime()} nowMs={nowMs} />
                </>
              )}
            </span>
            <span className="text-muted-foreground">
              added <RelativeTime at={createdAt} nowMs={nowMs} />
            </span>
          </div>
          <ConfirmButton
            label="Expire now"
            ariaLabel={`Expire now: …${hint}`}
            look="quiet"
            title={`Expire the secret …${hint} now?`}
            keepLabel="Keep it"
            confirmLabel="Expire it"
            run={() => expire(hookId, id)}
          >
            <p>
              {secrets.length > 1
                ? "What is still signed with it is refused at once. There is no way back."
                : "It is the only one: every delivery is refused until you add another. There is no way back."}
            </p>
          </ConfirmButton>
        </li>
      ))}
    </ul>
  );
}
