import { Allowed } from "#components/permissions/role.tsx";
import { type AttemptView, RunAttempts } from "#components/runs/run-attempt.tsx";
import { titleOf } from "#components/subscriptions/subscription-title.ts";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Step } from "#components/ui/layout/timeline.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { Countdown } from "#components/ui/time/countdown.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { endSentence } from "#lib/base/end-sentence.ts";
import type { RunReason } from "#lib/schema/act/run.ts";
import { isEnded, type RunStatus, runStates } from "#lib/schema/act/run-states.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type SendView = {
  readonly id: string;
  readonly subscriptionId: string | null;
  readonly receiverUrl: string | null;
  readonly description: string | null;
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  /** True if the event was sent to this subscription before. */
  readonly isResend: boolean;
  /** The version in which it went out. Null: it didn't yet, or its type has no versions. */
  readonly version: string | null;
  readonly attempts: readonly AttemptView[];
  readonly olderAttempts: number;
};

export type SendCommands = {
  /** A new send to the same subscription. */
  readonly resend: (subscriptionId: string) => Promise<CommandResult<null>>;
  readonly retry: (runId: string) => Promise<CommandResult<null>>;
  readonly cancel: (runId: string) => Promise<CommandResult<null>>;
};

type SendStepProps = SendCommands & { readonly send: SendView; readonly nowMs: number };

/** One send of an event: its receiver, state, attempts, and commands. */
export function SendStep({ send, nowMs, resend, retry, cancel }: SendStepProps) {
  const { id, status, subscriptionId, receiverUrl, attempts, olderAttempts } = send;
  const { label, tone, sign } = runStates[status];
  const name = receiverUrl === null ? "Deleted subscription" : titleOf({ ...send, receiverUrl });
  const isOpen = !isEnded(status);
  return (
    <Step
      id={id}
      sign={sign}
      title={
        <span className="flex flex-wrap items-center gap-2">
          {subscriptionId === null || receiverUrl === null ? (
            name
          ) : (
            <Link
              href={`/subscriptions/${subscriptionId}`}
              className="min-w-0 break-words underline-offset-4 hover:underline"
            >
              {safeText(name)}
            </Link>
          )}
          <Badge tone={tone}>{label}</Badge>
          {send.isResend && <Badge>Resent</Badge>}
          {send.version !== null && <Badge>Version {send.version}</Badge>}
        </span>
      }
      aside={<RelativeTime at={send.createdAt} nowMs={nowMs} />}
    >
      {receiverUrl !== null && (
        <p className="font-mono text-xs wrap-anywhere">{safeText(receiverUrl)}</p>
      )}
      <Situation send={send} nowMs={nowMs} />
      {attempts.length > 0 && (
        <RunAttempts attempts={attempts} nowMs={nowMs} className="grid grid-cols-1 gap-1.5" />
      )}
      {olderAttempts > 0 && (
        <p>{olderAttempts} earlier attempts are not shown here; the API has them.</p>
      )}
      <Allowed to="deliveries:write">
        <div className="flex flex-wrap gap-2 empty:hidden">
          {status === "retrying" && (
            <CommandButton ariaLabel={`Try now: ${safeText(name)}`} run={retry.bind(null, id)}>
              Try now
            </CommandButton>
          )}
          {isOpen && status !== "running" && (
            <CommandButton
              look="danger"
              ariaLabel={`Cancel send to ${safeText(name)}`}
              run={cancel.bind(null, id)}
            >
              Cancel
            </CommandButton>
          )}
          {!isOpen && subscriptionId !== null && receiverUrl !== null && (
            <CommandButton
              ariaLabel={`Resend to ${safeText(name)}`}
              done="A new send is queued."
              run={resend.bind(null, subscriptionId)}
            >
              Resend
            </CommandButton>
          )}
        </div>
      </Allowed>
    </Step>
  );
}

/** The reason for the state, and what comes next. */
function Situation({ send, nowMs }: Pick<SendStepProps, "send" | "nowMs">) {
  const { status, reason, nextAttemptAt } = send;
  if (status === "held")
    return <p>Its subscription isn't active. It is sent automatically when you enable it.</p>;
  if (reason === null || status === "running") return null;
  const isNext = status === "retrying" && nextAttemptAt !== null;
  return (
    <p className="break-words">
      {safeText(isNext ? endSentence(reason.detail) : reason.detail)}
      {isNext && (
        <>
          {" "}
          Next attempt in <Countdown until={nextAttemptAt} nowMs={nowMs} />.
        </>
      )}
    </p>
  );
}
