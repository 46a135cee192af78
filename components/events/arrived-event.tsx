"use client";

import { CircleCheck, CircleX, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { useUpdates } from "#components/lists/use-updates.ts";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { WaitingTitle } from "#components/ui/status/waiting-title.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ArrivedEventView } from "./arrived-event-view.ts";
import { eventPath } from "./event-row.ts";
import { useArrivedEvent } from "./use-arrived-event.ts";

/** The newest event after this one. Null: none yet. */
export type ReadArrived = (afterId: string) => Promise<CommandResult<ArrivedEventView | null>>;

/** Waits for an event, then shows the responses of its receivers live. */
export function ArrivedEvent({ afterId, read }: { afterId: string; read: ReadArrived }) {
  const { count } = useUpdates({ list: "events" }, afterId);
  const event = useArrivedEvent(() => read(afterId), count);
  return (
    <div role="status">
      {event === null ? (
        <WaitingTitle>Waiting for an event</WaitingTitle>
      ) : (
        <EventOutcome event={event}>
          <h3 className="font-semibold break-words">{safeText(event.type)} is published</h3>
          {event.sends.length === 0 && (
            <p className="text-sm text-muted-foreground">
              No subscription matched it. Check its type and recipient.
            </p>
          )}
        </EventOutcome>
      )}
    </div>
  );
}

/** The receivers of an event and their responses. */
export function EventOutcome({
  event: { publicId, sends, moreSends },
  children,
}: {
  readonly event: ArrivedEventView;
  readonly children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-1 gap-3">
      {children}
      <ul className="grid gap-2 text-sm empty:hidden">
        {sends.map((send) => (
          <li key={send.id} className="flex items-start gap-2.5">
            <Sign status={send.status} />
            <span className="grid min-w-0 gap-0.5">
              <span className="font-medium break-words">{describeResponse(send)}</span>
              <Receiver {...send} />
            </span>
          </li>
        ))}
      </ul>
      {moreSends > 0 && (
        <p className="text-sm text-muted-foreground">
          And {describeCount(moreSends, "more send")}.
        </p>
      )}
      <div>
        <Link href={eventPath(publicId)} className={buttonClasses("secondary")}>
          View event
        </Link>
      </div>
    </div>
  );
}

/** The subscription, by its receiver URL. */
function Receiver({
  subscriptionId,
  receiverUrl,
  description,
}: Pick<ArrivedEventView["sends"][number], "subscriptionId" | "receiverUrl" | "description">) {
  if (subscriptionId === null || receiverUrl === null) return null;
  return (
    <Link
      href={`/subscriptions/${subscriptionId}`}
      className="text-xs wrap-anywhere text-muted-foreground underline-offset-4 hover:underline"
    >
      {description !== null && `${safeText(description)} · `}
      <code className="font-mono">{safeText(receiverUrl)}</code>
    </Link>
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
  if (status === "succeeded") return `The receiver responded with HTTP ${httpStatus ?? 200}.`;
  if (status === "queued" || status === "running") return "Sending…";
  return safeText(detail ?? "Not sent.");
}
