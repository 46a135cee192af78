"use client";

import { CircleCheck, CircleX, Clock } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { useUpdates } from "#components/lists/use-updates.ts";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { WaitingTitle } from "#components/ui/status/waiting-title.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { RunStatus } from "#lib/schema/run-states.ts";
import { eventPath } from "./event-row.ts";

export type ArrivedEventView = {
  readonly publicId: string;
  readonly type: string;
  readonly sends: readonly {
    readonly id: string;
    readonly receiverUrl: string | null;
    readonly status: RunStatus;
    readonly httpStatus: number | null;
    readonly detail: string | null;
  }[];
  readonly isMoving: boolean;
};

/** The newest event after this one. Null: none yet. */
export type ReadArrived = (afterId: string) => Promise<CommandResult<ArrivedEventView | null>>;

const everyMs = 700;

/** Waits for an event, then shows the responses of its receivers live. */
export function ArrivedEvent({ afterId, read }: { afterId: string; read: ReadArrived }) {
  const { count } = useUpdates({ list: "events" }, afterId);
  const [event, setEvent] = useState<ArrivedEventView | null>(null);
  const isWaiting = count > 0 && (event === null || event.isMoving);

  // A newer event replaces the one that is shown.
  useEffect(() => {
    if (count > 0) setEvent((shown) => (shown === null ? null : { ...shown, isMoving: true }));
  }, [count]);

  useEffect(() => {
    if (!isWaiting) return;
    let isOver = false;
    const ask = async () => {
      const result = await read(afterId).catch(() => serverUnreachable);
      if (!isOver && result.ok && result.value !== null) setEvent(result.value);
    };
    void ask();
    const timer = setInterval(() => void ask(), everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [isWaiting, afterId, read]);

  return (
    <div role="status">
      {event === null ? <WaitingTitle>Waiting for an event</WaitingTitle> : <Arrived {...event} />}
    </div>
  );
}

function Arrived({ publicId, type, sends }: ArrivedEventView) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <h2 className="font-semibold break-words">{safeText(type)} is published</h2>
      {sends.length === 0 && (
        <p className="text-sm text-muted-foreground">
          No subscription matched it. Check the event types and the recipient of your subscriptions.
        </p>
      )}
      <ul className="grid gap-2 text-sm">
        {sends.map((send) => (
          <li key={send.id} className="flex items-start gap-2.5">
            <Sign status={send.status} />
            <span className="grid min-w-0 gap-0.5">
              <span className="font-medium">{describeResponse(send)}</span>
              <code className="font-mono text-xs break-all text-muted-foreground">
                {safeText(send.receiverUrl ?? "")}
              </code>
            </span>
          </li>
        ))}
      </ul>
      <div>
        <Link href={eventPath(publicId)} className={buttonClasses()}>
          View event
        </Link>
      </div>
    </div>
  );
}

function Sign({ status }: { status: RunStatus }) {
  const props = { "aria-hidden": true, size: 18 } as const;
  if (status === "succeeded")
    return <CircleCheck {...props} className="mt-px shrink-0 text-positive" />;
  if (status === "failed" || status === "retrying")
    return <CircleX {...props} className="mt-px shrink-0 text-negative" />;
  return <Clock {...props} className="mt-px shrink-0 text-muted-foreground" />;
}

function describeResponse({
  status,
  httpStatus,
  detail,
}: ArrivedEventView["sends"][number]): string {
  if (status === "succeeded") return `The receiver answered HTTP ${httpStatus ?? 200}.`;
  if (status === "queued" || status === "running") return "Sending…";
  return safeText(detail ?? "Not sent.");
}
