"use client";

import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type EmailStateProps = {
  readonly email: string;
  /** The email whose mailbox has to confirm it. Null: none. */
  readonly change: { readonly email: string; readonly expiresAt: Date } | null;
  readonly isVerified: boolean;
  readonly sendsEmail: boolean;
  readonly nowMs: number;
  readonly send: () => Promise<CommandResult<null>>;
  readonly cancel: () => Promise<CommandResult<null>>;
};

/** Whether an email waits for its mailbox, or was never confirmed. Nothing if it was. */
export function EmailState({ change, ...props }: EmailStateProps) {
  if (change !== null) return <Waiting change={change} {...props} />;
  if (props.isVerified) return null;
  return <NotConfirmed {...props} />;
}

type WaitingProps = EmailStateProps & { readonly change: NonNullable<EmailStateProps["change"]> };

function Waiting({ email, change, nowMs, send, cancel }: WaitingProps) {
  const isExpired = change.expiresAt.getTime() <= nowMs;
  const isSame = change.email === email;
  return (
    <Notice tone="caution">
      <p className="wrap-anywhere">
        {isExpired ? (
          <>The link to {safeText(change.email)} has expired. </>
        ) : (
          <>
            Open the link that was sent to {safeText(change.email)}. It expires{" "}
            <UntilTime untilMs={change.expiresAt.getTime()} nowMs={nowMs} />.{" "}
          </>
        )}
        {!isSame && <>Until you do, you sign in as {safeText(email)}.</>}
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <CommandButton done={`The link was sent to ${safeText(change.email)}.`} run={send}>
          Send a new link
        </CommandButton>
        <CommandButton look="quiet" run={cancel}>
          {isSame ? "Not now" : "Keep the present email"}
        </CommandButton>
      </div>
    </Notice>
  );
}

function NotConfirmed({ email, sendsEmail, send }: Omit<EmailStateProps, "change">) {
  return (
    <Notice>
      <p className="wrap-anywhere">
        {safeText(email)} isn't confirmed. Single sign-on doesn't sign you in by it until it is.
      </p>
      {sendsEmail ? (
        <div className="mt-2.5">
          <CommandButton done={`The link was sent to ${safeText(email)}.`} run={send}>
            Send a link to confirm it
          </CommandButton>
        </div>
      ) : (
        <p className="mt-1.5 wrap-anywhere">
          This server sends no email. The person who runs it can confirm yours:{" "}
          <code className="text-xs">npm run server -- confirm-email {safeText(email)}</code>
        </p>
      )}
    </Notice>
  );
}
