"use client";

import { Notice } from "#components/ui/status/notice.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { EventOutcome } from "./arrived-event.tsx";
import type { ArrivedEventView } from "./arrived-event-view.ts";
import { useArrivedEvent } from "./use-arrived-event.ts";

export type SentEventView = {
  readonly id: string;
  readonly type: string;
  /** The number of its sends. */
  readonly runs: number;
  readonly warning: string | null;
  /** The reason why it has no sends. */
  readonly problem: string | null;
};

export type ReadSent = (eventId: string) => Promise<CommandResult<ArrivedEventView>>;

/** An event that was just sent: what it reached, and the responses of its receivers live. */
export function SentEvent({ sent, read }: { sent: SentEventView; read: ReadSent }) {
  const { id, type, runs, warning, problem } = sent;
  const event = useArrivedEvent(() => read(id), runs > 0 ? 1 : 0);
  const nothing = { internalId: "", publicId: id, type, sends: [], moreSends: 0, isMoving: false };
  return (
    <section aria-label="Sent event" className="grid grid-cols-1 gap-3 border-t pt-5">
      <EventOutcome event={event ?? nothing}>
        <Notice tone={problem === null ? "positive" : "caution"}>
          {problem === null
            ? `${safeText(type)} is sent to ${describeCount(runs, "subscription")}.`
            : `${safeText(type)} is published, but no subscription matches: ${safeText(problem)}`}
        </Notice>
        {event === null && runs > 0 && (
          <p className="text-sm text-muted-foreground">Waiting for the receivers…</p>
        )}
        {warning !== null && <Notice tone="caution">{safeText(warning)}.</Notice>}
      </EventOutcome>
    </section>
  );
}
