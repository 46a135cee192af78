import { type AttemptView, RunAttempts } from "#components/runs/run-attempt.tsx";
import { titleOf } from "#components/subscriptions/subscription-title.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { BodyBlock } from "#components/ui/text/body-block.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import { type RunStatus, runStates } from "#lib/schema/act/run-states.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ResendButton } from "./resend-button.tsx";

type PortalSendProps = {
  readonly base: string;
  readonly sendId: string;
  /** The earlier send, if someone has just sent its event again. */
  readonly afterId: string | null;
  readonly page: {
    readonly nowMs: number;
    readonly send: {
      readonly status: RunStatus;
      readonly reason: { readonly detail: string } | null;
      readonly nextAttemptAt: Date | null;
      readonly createdAt: Date;
      /** The version in which it went out. Null: it didn't yet, or its type has no versions. */
      readonly version: string | null;
      readonly attempts: readonly AttemptView[];
      readonly olderAttempts: number;
    };
    readonly subscription: {
      readonly id: string;
      readonly receiverUrl: string;
      readonly description: string | null;
    };
    readonly event: { readonly id: string; readonly type: string } | null;
    readonly body: { readonly text: string; readonly isCut: boolean } | null;
  };
  /** Null: the link doesn't allow it, or the event is gone. */
  readonly resend: (() => Promise<CommandResult<{ readonly runId: string }>>) | null;
};

/** One send of an event to one receiver: its content, and every attempt. */
export function PortalSend({ base, sendId, afterId, page, resend }: PortalSendProps) {
  const { send, subscription, event, body, nowMs } = page;
  const { label, tone } = runStates[send.status];
  return (
    <>
      {afterId !== null && (
        <Notice tone="positive">
          Sent again. This is the new send.{" "}
          <Link href={`${base}/sends/${afterId}`} className="underline underline-offset-4">
            Show the earlier one
          </Link>
        </Notice>
      )}
      <div className="grid grid-cols-1 gap-1.5">
        <Link
          href={`${base}/subscriptions/${subscription.id}`}
          className={
            "justify-self-start rounded-sm text-sm wrap-anywhere " +
            "text-muted-foreground underline-offset-4 hover:underline"
          }
        >
          {safeText(titleOf(subscription))}
        </Link>
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <h1 className="min-w-0 text-2xl font-semibold tracking-tight break-words">
            {safeText(event?.type ?? "Deleted event")}
          </h1>
          {resend !== null && <ResendButton base={base} sendId={sendId} resend={resend} />}
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted-foreground">
          <Badge tone={tone}>{label}</Badge>
          {send.version !== null && <Badge>Version {send.version}</Badge>}
          <RelativeTime at={send.createdAt} nowMs={nowMs} />
          {event !== null && (
            <code className="min-w-0 font-mono text-xs wrap-anywhere">{safeText(event.id)}</code>
          )}
        </div>
        {send.reason !== null && (
          <p className="text-sm break-words text-muted-foreground">
            {safeText(send.reason.detail)}
          </p>
        )}
      </div>
      <Attempts send={send} nowMs={nowMs} />
      {body !== null && (
        <Card className="grid min-w-0 grid-cols-1 gap-3 p-4 sm:p-5">
          <h2 className="font-semibold">Event</h2>
          <BodyBlock
            label="Event body"
            startsPretty
            text={body.text}
            cutNote={body.isCut ? "Only the beginning is shown." : null}
          />
        </Card>
      )}
    </>
  );
}

function Attempts({ send, nowMs }: Pick<PortalSendProps["page"], "send" | "nowMs">) {
  const { attempts, olderAttempts, nextAttemptAt, status } = send;
  return (
    <Card className="grid min-w-0 grid-cols-1 gap-3 p-4 sm:p-5">
      <h2 className="font-semibold">Attempts</h2>
      {status === "retrying" && nextAttemptAt !== null && (
        <p className="text-sm text-muted-foreground">
          Next attempt: <UntilTime untilMs={nextAttemptAt.getTime()} nowMs={nowMs} />
        </p>
      )}
      {attempts.length === 0 ? (
        <p className="text-sm text-muted-foreground">None yet.</p>
      ) : (
        <RunAttempts
          attempts={attempts}
          nowMs={nowMs}
          className="grid gap-2 text-sm text-muted-foreground"
        />
      )}
      {olderAttempts > 0 && (
        <p className="text-sm text-muted-foreground">And {olderAttempts} earlier attempts.</p>
      )}
    </Card>
  );
}
