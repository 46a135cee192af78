"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { RotateButton } from "./rotate-button.tsx";

type ReceiverView = {
  readonly receiverUrl: string;
  readonly sentSeq: number;
  readonly sentAt: Date | null;
  readonly waiting: number;
  readonly failure: {
    readonly message: string;
    readonly since: Date;
    readonly nextAttemptAt: Date;
  } | null;
};

type ReceiverCardProps = {
  readonly receiver: ReceiverView;
  readonly nowMs: number;
  readonly rotate: () => Promise<CommandResult<{ readonly secret: string | null }>>;
  readonly remove: () => Promise<CommandResult<null>>;
};

/** The URL that gets the audit log, and how far it has come. */
export function ReceiverCard({ receiver, nowMs, rotate, remove }: ReceiverCardProps) {
  useRefreshWhile(receiver.waiting > 0 && receiver.failure === null, nowMs);
  return (
    <Card>
      <section
        aria-label="Receiver"
        className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3 text-sm"
      >
        <div className="grid min-w-0 flex-1 basis-64 gap-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">Sent to</span>
            <code className="min-w-0 font-mono text-xs break-all">
              {safeText(receiver.receiverUrl)}
            </code>
            {receiver.failure !== null && <Badge tone="negative">Failing</Badge>}
          </p>
          <p className="break-words text-muted-foreground">
            <Progress receiver={receiver} nowMs={nowMs} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <RotateButton rotate={rotate} />
          <ConfirmButton
            label="Stop sending"
            title="Stop sending the audit log?"
            keepLabel="Cancel"
            confirmLabel="Stop sending"
            run={remove}
          >
            <p>The receiver gets no more entries, and its secret is deleted. The log stays.</p>
          </ConfirmButton>
        </div>
      </section>
    </Card>
  );
}

function Progress({ receiver, nowMs }: Pick<ReceiverCardProps, "receiver" | "nowMs">) {
  const { sentSeq, sentAt, waiting, failure } = receiver;
  const waits = describeCount(waiting, "entry waits", "entries wait");
  if (failure !== null)
    return (
      <>
        {waits}. {safeText(failure.message)} It first failed{" "}
        <RelativeTime at={failure.since} nowMs={nowMs} />. Next try:{" "}
        <UntilTime untilMs={failure.nextAttemptAt.getTime()} nowMs={nowMs} />.
      </>
    );
  if (waiting > 0) return `${waits} to be sent.`;
  if (sentAt === null) return "It gets the entries from now on.";
  return (
    <>
      Everything up to number {sentSeq.toLocaleString("en")} is sent, the newest{" "}
      <RelativeTime at={sentAt} nowMs={nowMs} />.
    </>
  );
}

const refreshMs = 2_000;

/** Reads the page again until the new entries are sent. */
function useRefreshWhile(isSending: boolean, nowMs: number): void {
  const router = useRouter();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reading of the page plans the next
  useEffect(() => {
    if (!isSending) return;
    const timer = setTimeout(() => router.refresh(), refreshMs);
    return () => clearTimeout(timer);
  }, [isSending, nowMs, router]);
}
